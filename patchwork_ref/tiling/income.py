"""Budgets when income is counted: a question with buttons and spaces becomes one whose "impossible" holds in play.

Without this, question 2 counts no income: the patches laid may cost at most the buttons in hand. "Possible" then needs
no income; "impossible" says nothing about a game, where buttons still come in. Here the budgets are raised to what a
player could have at the very most, so "impossible" holds in play, and "possible" says little.
"""

from __future__ import annotations

from dataclasses import replace

from patchwork_ref.tiling.question import Question, TilingInputError


def with_income(question: Question, income: int, payments: int) -> Question:
    """The question with budgets that no continuation of play can exceed.

    ``income`` is what the quilt pays now, ``payments`` how many payments are still to come. Both budgets must be given.
    A patch laid now earns its income at each payment, so its net cost is ``cost - payments * income``; whatever this is
    below zero is granted at once. Every space not spent on patches may earn a button by advancing, so all are granted.
    The last patch may take a player past the end, so the longest time less one space is granted as well.

    Raises TilingInputError without both budgets, and for negative numbers.
    """
    if question.buttons is None or question.spaces is None:
        raise TilingInputError("to count income, both buttons and spaces must be given")
    if income < 0 or payments < 0:
        raise TilingInputError("income and the number of payments cannot be negative")
    granted, pieces = 0, []
    for name, piece in question.pieces:
        net = piece.cost - payments * piece.income
        granted += max(0, -net)
        pieces.append((name, replace(piece, cost=max(0, net))))
    beyond = max((piece.time for _, piece in question.pieces), default=0) - 1
    return replace(
        question,
        pieces=tuple(pieces),
        buttons=question.buttons + payments * income + question.spaces + granted,
        spaces=question.spaces + max(0, beyond) if question.spaces else 0,
    )
