"""The command line: parse, call one function, print. One module for each group of commands, loaded when used."""
