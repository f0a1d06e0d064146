"""`python -m se_agent`: the command line without the installed script."""

from se_agent.cli.app import main

if __name__ == "__main__":
    main()
