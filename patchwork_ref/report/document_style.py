"""The style of the page: paper and thread by day, felt by night; readable on a telephone and on paper."""

STYLE = """
:root { color-scheme: light dark;
  --paper: #faf7f1; --card: #fffdf9; --ink: #2b2723; --soft: #6a6259; --line: #e3dbcd; --thread: #a3442f; --thread-soft: #f3e3da; --cloth: #3f6f73;
    --cloth-edge: #2c5053; --code: #f2ece1; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #191817; --card: #211f1d; --ink: #e8e1d6; --soft: #a89f93; --line: #37332e; --thread: #e59a7f; --thread-soft: #3a2a23; --cloth: #6aa5a6;
    --cloth-edge: #22393a; --code: #2a2724; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif; }
main { max-width: 48rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; overflow-wrap: break-word; }
a { color: var(--thread); text-decoration: underline; text-decoration-color: color-mix(in srgb, currentColor 35%, transparent); text-underline-offset: .18em; }
a:hover { text-decoration-color: currentColor; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--thread); outline-offset: 2px; border-radius: 2px; }
h1, h2, h3, h4, h5, h6, nav, dt, .kind, .number, summary, th, figcaption { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
h1 { font-size: 2.2rem; line-height: 1.15; margin: 0 0 .5rem; letter-spacing: -.02em; }
section.level2 > h2 { font-size: 1.45rem; margin: 3.5rem 0 1rem; padding-bottom: .35rem; border-bottom: 3px double var(--thread); }
section.level3 > h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; color: var(--soft); }
.part { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: 1rem 0; }
.part:target { border-color: var(--thread); box-shadow: 0 0 0 2px var(--thread-soft); }
.part > h1, .part > h2, .part > h3, .part > h4 { font-size: .88rem; margin: 0 0 .35rem; font-weight: 600; letter-spacing: .01em; display: flex; gap: .6rem;
    align-items: baseline; flex-wrap: wrap; }
a.self { text-decoration: none; }
section.level2 > h2 a.self { color: inherit; }
a.self:hover { text-decoration: underline; }
.kind { font-size: .68rem; font-weight: 500; text-transform: uppercase; letter-spacing: .08em; color: var(--soft); }
p { margin: .4rem 0; }
.statement { font-size: 1.08rem; line-height: 1.45; }
li .statement { font-size: 1rem; }
.exact, .note { color: var(--soft); font-size: .94rem; line-height: 1.55; }
.note { font-size: .86rem; font-style: italic; }
.exact a, .exact .name { color: inherit; text-decoration-color: var(--line); text-decoration-thickness: 1px; }
.exact a:hover { color: var(--thread); }
ol, ul { padding-left: 1.4rem; margin: .5rem 0; }
li { margin: .5rem 0; padding-left: .2rem; }
li::marker { color: var(--thread); font-family: system-ui, sans-serif; font-size: .85em; font-weight: 600; }
li > ul { margin: .2rem 0; }
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .85em; }
code { background: var(--code); border-radius: 4px; padding: .08em .32em; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 8px; padding: .75rem 1rem; overflow-x: auto; line-height: 1.5; margin: .75rem 0; white-space: pre-wrap; }
.cites { display: flex; flex-wrap: wrap; gap: .3rem; margin: .6rem 0 0; }
cite { font: normal .74rem/1.5 system-ui, sans-serif; color: var(--soft); border: 1px solid var(--line); border-radius: 999px; padding: .02rem .55rem; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .3rem 1rem; margin: .75rem 0; font-size: .92rem; }
dt { color: var(--soft); font-size: .8rem; padding-top: .12rem; grid-column: 1; max-width: 11rem; }
dd { margin: 0; grid-column: 2; min-width: 0; }
details.more { margin-top: .7rem; border-top: 1px dashed var(--line); padding-top: .45rem; }
summary { cursor: pointer; font-size: .8rem; color: var(--soft); }
summary:hover { color: var(--thread); }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.6rem, 1fr)); gap: .6rem; margin: .75rem 0; }
figure { position: relative; margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1.1rem .4rem .5rem; display: flex;
    flex-direction: column; align-items: center; justify-content: space-between; gap: .55rem; }
figure:target { border-color: var(--thread); }
svg rect { fill: var(--cloth); stroke: var(--cloth-edge); stroke-width: .8; }
figcaption { font-size: .68rem; color: var(--soft); display: flex; flex-wrap: wrap; gap: 0 .4rem; justify-content: center; line-height: 1.4; white-space: nowrap; }
.number b { color: var(--ink); font-weight: 600; }
.id { position: absolute; left: .55rem; top: .3rem; color: var(--thread); font: 600 .8rem system-ui, sans-serif; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; width: 100%; margin: .75rem 0; }
th { text-align: left; font-size: .75rem; color: var(--soft); font-weight: 600; }
th, td { padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
nav { font-size: .85rem; line-height: 1.45; padding: 1.25rem; border-bottom: 1px solid var(--line); }
nav a { color: var(--ink); text-decoration: none; }
nav a:hover { color: var(--thread); }
nav .book { font-weight: 700; margin: 0 0 .6rem; }
nav .leaf { margin: .25rem 0 .25rem .85rem; line-height: 1.6; }
nav summary { font-size: .85rem; margin: .25rem 0; line-height: 1.6; }
nav ul { list-style: none; margin: .1rem 0 .4rem; padding-left: .95rem; border-left: 1px solid var(--line); }
nav li { margin: .12rem 0; padding: 0; }
nav li a { color: var(--soft); }
@media (min-width: 68rem) {
  body.whole { display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
  body.whole nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line); }
  body.whole main { width: 100%; padding-top: 3rem; }
}
@media (max-width: 34rem) { main { padding: 1.25rem .9rem 4rem; } dl { grid-template-columns: 1fr; gap: .1rem; } dd { grid-column: 1; } dd + dt { margin-top: .5rem;
    } dt { max-width: none; }
  .part { padding: .85rem .9rem; } h1 { font-size: 1.8rem; } }
@media print { nav, summary { display: none; } .part { break-inside: avoid; border: 0; padding: .4rem 0; } }
"""
