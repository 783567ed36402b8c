// HTTPServer: to be furnished.
