print("stepwell")
