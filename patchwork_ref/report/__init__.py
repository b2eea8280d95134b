"""How results look: one model of findings, to terminal text, JSON, JUnit and Markdown. Only this room and the command
line print; nothing here decides anything.
"""
