import Glibc

if CommandLine.arguments.dropFirst().first == "preview" {
  exit(PreviewCommand.run(Array(CommandLine.arguments.dropFirst(2))))
}
print("usage: stepwell preview DIR")
exit(2)
