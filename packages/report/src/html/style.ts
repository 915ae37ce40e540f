/**
 * The style of a report's page: one accent, six colours of verdicts that always come with a sign
 * and a word, a small scale of type, hairlines instead of boxes; light, dark, narrow and on paper.
 */
import { pageColours } from './colours.ts'
import { narrowStyle } from './style-narrow.ts'

const basics = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:56px}
body{margin:0;background:var(--bg);color:var(--ink);font:13px/1.5 var(--sans);font-variant-numeric:tabular-nums lining-nums}
[hidden]{display:none!important}
.wrap{max-width:1520px;margin:0 auto;padding-inline:28px}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
code,pre{font-family:var(--mono);font-size:12px;font-variant-ligatures:none}
h1,h2,h3,h4,p,dl,dd,ol,ul,fieldset,figure{margin:0;padding:0;border:0}
ol,ul{list-style:none}
h2{font-size:15px;font-weight:600}
h3,h4{font-size:11.5px;font-weight:600;color:var(--mute)}
i{font-style:normal}
.mute{color:var(--mute)}
.faint{color:var(--faint)}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-999px;top:8px;background:var(--raise);padding:6px 12px;border:1px solid var(--rule2);z-index:9}
.skip:focus{left:28px}
.reg{--c:var(--reg)}.imp{--c:var(--imp)}.same{--c:var(--same)}.inc{--c:var(--inc)}.fail{--c:var(--fail)}.none{--c:var(--none)}
button,.btn{font:inherit;color:var(--ink);background:var(--raise);border:1px solid var(--rule2);border-radius:6px;padding:4px 11px;cursor:pointer;white-space:nowrap}
button:hover,.btn:hover{border-color:var(--faint);text-decoration:none}
.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.small{padding:0 8px;font-size:12px}
input,select{font:inherit;color:inherit;background:var(--raise);border:1px solid var(--rule2);border-radius:6px;padding:3px 8px;max-width:100%}
pre{margin:6px 0 0;padding:9px 12px;background:var(--raise);border:1px solid var(--rule);border-radius:7px;overflow:auto;max-height:340px;white-space:pre}
.head{padding-block:26px 22px}
.title{display:flex;gap:12px 24px;align-items:flex-end;flex-wrap:wrap}
.title>div:first-child{flex:1 1 420px;min-width:0}
h1{font-size:20px;line-height:1.3;font-weight:600;overflow-wrap:anywhere}
.meta{color:var(--mute);margin-top:3px;overflow-wrap:anywhere}
.acts{display:flex;gap:6px;flex-wrap:wrap}
.warn{margin-top:12px}
.warn li{padding-left:16px;text-indent:-16px;overflow-wrap:anywhere}
.warn li::before{content:"!";display:inline-block;width:16px;text-indent:0;color:var(--inc);font-weight:700}
.warn.fail li::before{content:"✕";color:var(--fail)}
.warn li>*{text-indent:0}
.top{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:22px 48px;margin-top:22px;padding-top:22px;border-top:1px solid var(--rule)}
.gate .call{font-size:28px;line-height:1.2;font-weight:600;color:var(--c)}
.gate .why{margin-top:6px;color:var(--mute);max-width:68ch}
.reasons{margin-top:12px;border-top:1px solid var(--rule)}
.reasons li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 16px;padding:5px 0;border-bottom:1px solid var(--rule);overflow-wrap:anywhere}
.reasons .r{text-align:right;color:var(--c)}
.iv{color:var(--faint);font-size:12px;margin-left:5px;white-space:nowrap}
.reasons .iv{color:inherit;font-size:inherit}
.counts{display:flex;gap:0 26px;flex-wrap:wrap;margin-bottom:10px}
.counts li{color:var(--c)}
.counts b{display:block;font-size:28px;line-height:1.1;font-weight:400}
.counts span{font-size:12px;white-space:nowrap}
.share{display:block;width:100%;height:5px;margin:2px 0 14px}
.share rect{fill:var(--c)}
figcaption{font-size:12px;color:var(--mute);margin-top:4px}
.box{border:1px solid var(--rule);border-radius:10px;background:var(--raise);padding:14px 18px 16px}
.box>header{display:flex;gap:4px 14px;align-items:baseline;flex-wrap:wrap;margin-bottom:12px}
.ok{color:var(--imp)}
.doubt{color:var(--c)}
.facts{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:16px 36px}
.facts h3{padding-bottom:4px;border-bottom:1px solid var(--rule);margin-bottom:6px}
.facts dl,.kv{display:grid;grid-template-columns:auto minmax(0,1fr);gap:2px 12px}
.facts dt,.kv dt{color:var(--mute)}
.facts dd,.kv dd{overflow-wrap:anywhere}
`

const charts = `
svg{overflow:visible}
.chart{display:block;width:100%;margin-top:6px}
.chart .in{overflow:visible}
.chart path{fill:none;vector-effect:non-scaling-stroke}
.grid{stroke:var(--grid)}
.zero{stroke:var(--zero)}
.thr{stroke:var(--zero);stroke-dasharray:2 3}
.band,.floor{fill:var(--band)}
.chart text,.ax text{font:11px var(--sans);fill:var(--faint);font-variant-numeric:tabular-nums}
text.m{text-anchor:middle}
text.e{text-anchor:end}
.i95{stroke:var(--c);stroke-width:1.25}
.i90{stroke:var(--c);stroke-width:3.5;opacity:.55}
.pt{fill:var(--c);stroke:var(--bg);stroke-width:1}
.edge{fill:var(--c);font:10px var(--sans)}
.chart .bad,.bad{fill:var(--fail);font:600 12px var(--sans)}
.over a .bad{fill:var(--c)}
.over .hit{fill:transparent}
.over a:hover .hit,.over a:focus-visible .hit{fill:var(--accent-soft)}
.over a:focus-visible{outline:none}
.over text{paint-order:stroke;stroke:var(--bg);stroke-width:3px}
.ga{fill:none;stroke:var(--faint);stroke-width:1.5}
.gc{fill:var(--accent)}
.lg{width:9px;height:9px}
.legend{font-weight:400;margin-left:8px}
.legend svg{vertical-align:-1px;margin:0 3px 0 8px}
.med{stroke-width:1.25}
.med.a{stroke:var(--faint);stroke-dasharray:4 3}
.med.c{stroke:var(--accent)}
.med.e{stroke:var(--c);stroke-width:1.5}
.da,.da2,.dc,.dd{stroke-linecap:round}
.da{stroke:var(--faint);stroke-width:7}
.da2{stroke:var(--sunk);stroke-width:4.2}
.dc{stroke:var(--accent);stroke-width:6.5}
.dd{stroke:var(--ink);stroke-width:5.5}
.stem{stroke:var(--rule2)}
.ka{stroke:var(--faint);fill:var(--bg)!important}
.kc{stroke:var(--accent);fill:var(--accent-soft)!important}
.chart .ci{fill:var(--c);opacity:.16;stroke:none}
.panel .band{fill:color-mix(in srgb,var(--band) 75%,var(--rule2) 25%)}
.panel .grid{stroke:var(--rule)}
`

const table = `
.rows{padding-top:26px}
.filters{display:flex;gap:8px 14px;flex-wrap:wrap;align-items:center;padding:10px 0 6px}
.chips{display:flex;gap:6px;flex-wrap:wrap}
.chips label{display:inline-flex;gap:6px;align-items:center;border:1px solid var(--rule2);border-radius:99px;padding:2px 11px 2px 9px;cursor:pointer;font-size:12px;background:var(--raise)}
.chips input{position:absolute;opacity:0;pointer-events:none}
.chips i{color:var(--c);font-weight:600}
.chips b{font-weight:550}
.chips label:has(input:not(:checked)){background:none;border-style:dashed;color:var(--faint)}
.chips label:has(input:not(:checked)) .w{text-decoration:line-through}
.chips label:has(input:focus-visible){outline:2px solid var(--accent);outline-offset:2px}
.filters select,.filters input[type=search]{font-size:12px}
.shown{padding:4px 0 8px;color:var(--mute)}
.shown b{color:var(--ink);font-weight:550}
.shown .hid{color:var(--inc)}
.cells{display:grid;grid-template-columns:minmax(110px,1.15fr) minmax(96px,.62fr) 84px 84px 74px 78px minmax(140px,1.9fr) 158px 66px 142px;gap:0 14px;align-items:center;padding:5px 0}
.thead{position:sticky;top:0;z-index:3;background:var(--bg);font-size:11.5px;color:var(--mute);align-items:end;box-shadow:inset 0 -1px var(--rule2);padding:8px 0 6px 16px}
.thead small,.rd small,.ver small{display:block;font-size:11px;line-height:1.25}
.thead small{color:var(--faint)}
.thead .ver{color:inherit}
.n{text-align:right;white-space:nowrap}
.ax{display:block;width:100%;height:29px}
.dsh{display:flex;justify-content:space-between;align-items:baseline;gap:4px 20px;flex-wrap:wrap;padding:24px 0 4px;font-size:15px;color:var(--ink);border-bottom:1px solid var(--rule2);overflow-wrap:anywhere}
.sum{font-size:12px;font-weight:400}
.sum span{color:var(--c);margin-left:10px}
.bh{padding:11px 0 4px;font-size:13px;font-weight:400;color:var(--ink)}
.bh b{font-weight:600;margin-right:10px}
.keys{color:var(--mute);font-size:12px}
.key{display:inline-block;margin-right:9px;overflow-wrap:anywhere;unicode-bidi:isolate}
.key i{color:var(--faint)}
.again .key{color:var(--faint)}
.row{border-top:1px solid var(--rule)}
.row>summary{list-style:none;cursor:pointer;position:relative;padding-left:16px}
.row>summary::-webkit-details-marker{display:none}
.row>summary::before{content:"";position:absolute;left:2px;top:50%;width:5px;height:5px;margin-top:-4px;border:solid var(--faint);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg)}
.row[open]>summary::before{transform:rotate(45deg)}
.row>summary:hover{background:color-mix(in srgb,var(--sunk) 60%,transparent)}
.row[open]>summary{background:var(--sunk)}
.row:target>summary{background:var(--accent-soft)}
.l{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.lab{font-weight:550;overflow-wrap:anywhere;unicode-bidi:isolate}
.chg{font-weight:550}
.plot{align-self:stretch;min-height:24px;position:relative;margin-block:-5px}
.thead .plot{margin-block:0}
.fp{position:absolute;inset:0;width:100%;height:100%}
.fn{font:11.5px var(--sans);fill:var(--faint)}
.ver{color:var(--c);line-height:1.3}
.ver b{font-weight:600}
.ver small{color:var(--mute)}
.rd small{color:var(--mute)}
.part{color:var(--inc)}
.panel{padding:12px 18px 20px;background:var(--sunk);border-left:2px solid var(--accent);border-bottom:1px solid var(--rule2)}
.say{font-size:13.5px;max-width:105ch;margin-bottom:14px;overflow-wrap:anywhere}
.say b{color:var(--c);font-weight:600}
.three{display:grid;grid-template-columns:minmax(0,2.1fr) minmax(0,.8fr) minmax(0,1.75fr);gap:18px 30px}
.two{display:grid;grid-template-columns:minmax(0,1.72fr) minmax(0,1fr);gap:20px 40px;margin-top:16px}
.two section{margin-top:14px}
.scroll{overflow-x:auto}
.mt{border-collapse:collapse;width:100%}
.mt th,.mt td{padding:3px 0 3px 16px;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap}
.mt th:first-child,.mt td:first-child{text-align:left;padding-left:0;white-space:normal;overflow-wrap:anywhere;min-width:90px}
.mt th{font-weight:450}
.mt thead th{color:var(--mute);font-size:11.5px}
.kv{margin-top:6px}
.kv+h4{margin-top:16px}
.spark{display:block;width:100%;max-width:220px;height:14px;margin:1px 0 3px}
.spark path{fill:none;stroke:var(--mute);stroke-width:1;vector-effect:non-scaling-stroke}
.folds{display:flex;gap:8px 28px;flex-wrap:wrap;margin-top:14px}
.folds>details{max-width:100%}
.folds summary{cursor:pointer;color:var(--accent)}
.foot{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:28px 48px;padding-block:34px 56px}
.read dl{display:grid;grid-template-columns:110px minmax(0,1fr);gap:7px 16px;margin-top:10px}
.read dt{font-weight:550}
.read dd{color:var(--mute);max-width:64ch}
.read section{margin-top:20px;overflow-wrap:anywhere}
.hd{display:flex;justify-content:space-between;align-items:center;gap:10px}
.toast{position:fixed;bottom:20px;left:50%;transform:translateX(-50%);background:var(--ink);color:var(--bg);border-radius:8px;padding:7px 16px;opacity:0;transition:opacity .15s;pointer-events:none}
.toast.on{opacity:1}
`

/** The whole style sheet. */
export const pageStyle = pageColours + basics + charts + table + narrowStyle
