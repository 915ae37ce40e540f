/** Narrow screens, where rows become labelled cards with the same figures, and paper. */
export const narrowStyle = `
@media screen and (max-width:1320px){.wrap{padding-inline:18px}.cells{gap:0 10px;grid-template-columns:minmax(90px,1fr) minmax(90px,.62fr) 76px 76px 68px 72px minmax(120px,1.5fr) 150px 60px 126px;font-size:12px}}
@media screen and (max-width:1180px){.facts{grid-template-columns:1fr 1fr}.three{grid-template-columns:minmax(0,2.2fr) minmax(0,1fr)}.three>:nth-child(3){grid-column:1/-1}.two{grid-template-columns:minmax(0,1fr)}}
@media screen and (max-width:1080px){
.wrap{padding-inline:16px}
.top,.foot{grid-template-columns:minmax(0,1fr)}
.thead{display:block;padding:6px 0 4px 16px;border-bottom:1px solid var(--rule2);box-shadow:none}
.thead>span:not(.plot){display:none}
.row .cells{grid-template-columns:repeat(4,minmax(0,1fr));gap:4px 10px;padding:9px 0 10px;font-size:13px}
.row .c-v,.row .lab{grid-column:1/4}
.row .ver{grid-column:4;grid-row:1/3;text-align:right}
.row .n{text-align:left;white-space:normal}
.row .eff{grid-column:1/4}
.row .plot{grid-column:1/-1;height:26px;margin:2px 0}
.l{position:static;display:block;width:auto;height:auto;overflow:visible;clip-path:none;font-size:11px;font-weight:400;color:var(--faint);line-height:1.3;overflow-wrap:anywhere}
.row .rd small:not(.l){display:inline;margin-left:5px}
.row>summary::before{top:16px}
.panel{padding:12px 0 18px 12px}
.sum span:first-child{margin-left:0}}
@media screen and (max-width:760px){
.facts,.three{grid-template-columns:minmax(0,1fr)}
.counts{display:grid;grid-template-columns:repeat(3,auto);gap:8px 20px;justify-content:space-between}
.counts b{font-size:22px}
.gate .call{font-size:24px}
.read dl{grid-template-columns:1fr;gap:0}
.read dd{margin-bottom:8px}
.reasons li{grid-template-columns:1fr}
.reasons .r{text-align:left}
.filters input[type=search]{width:100%}}
@media print{
:root{--bg:#fff;--raise:#fff;--sunk:#fff}
body{zoom:.7}
.filters,.acts,.toast,.skip,button{display:none!important}
.wrap{max-width:none;padding-inline:0}
.head{padding-top:0}
.thead{position:static}
pre{max-height:none;white-space:pre-wrap}
.row,.box,.reasons li{break-inside:avoid}
.row[open]{break-inside:auto}
.bh,.dsh{break-after:avoid}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
@page{size:A4 landscape;margin:12mm}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
`
