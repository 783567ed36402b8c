import Glibc

exit(Program.run(CommandLine.arguments, environment: Program.environment()))
