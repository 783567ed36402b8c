// EventLoop: to be furnished.
