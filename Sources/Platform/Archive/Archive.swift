// Archive: to be furnished.
