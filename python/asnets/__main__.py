from asnets.cli import main

main()
