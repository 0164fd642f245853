from tamaya.cli import main

main()
