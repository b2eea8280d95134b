"""``rules`` and ``lint``."""

from __future__ import annotations

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, machine_of, rulebook_of, rulebook_option, rules_options


@click.command()
@rulebook_option
@format_option()
@click.argument("path", required=False)
def lint(folder: str | None, form: str, path: str | None) -> int:
    """Checks a rulebook; every defect with file, line, column, code and hint."""
    from patchwork_ref.machine.lint import lint as defects

    context = click.get_current_context()
    chosen = path if path is not None else folder if folder is not None else (context.find_root().obj or {}).get("rulebook")
    found = defects(chosen)
    if form == "json":
        emit_json([{"file": d.position.file, "line": d.position.line, "column": d.position.column, "code": d.code, "message": d.message, "hint": d.hint} for d in found])
    else:
        for diagnostic in found:
            click.echo(str(diagnostic), err=True)
        if not found:
            emit("no defects")
    return 2 if found else 0


@click.command()
@rules_options
@format_option("markdown", "html")
@click.option("--compiled", is_flag=True, help="The generated Python module of the engine.")
@click.argument("name", required=False)
def rules(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, compiled: bool, name: str | None) -> int:
    """The rulebook rendered from the YAML, or one permanent name (a rule, reading, patch, property, fixture, mutant or theorem) with all that belongs to it."""
    rulebook = rulebook_of(folder)
    machine = machine_of(rulebook, ruleset, readings)
    if compiled:
        from patchwork_ref.engine.compile import compiled as back_end
        from patchwork_ref.machine.state import Layout

        source = back_end(machine, Layout.of(machine)).source
        if form == "json":
            emit_json({"digest": machine.digest, "source": source})
        else:
            emit(source)
        return 0
    from patchwork_ref.report.links import links_of
    from patchwork_ref.report.rules import rules_html, rules_json, rules_markdown, rules_text

    linked = links_of(rulebook, name)
    if form == "json":
        emit_json(rules_json(rulebook, machine, name, linked))
    else:
        emit({"text": rules_text, "markdown": rules_markdown, "html": rules_html}[form](rulebook, machine, name, linked))
    return 0
