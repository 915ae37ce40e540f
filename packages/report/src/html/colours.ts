/** Colours and type of a report's page, for light and dark; text has a contrast of at least 4.5. */
export const pageColours = `
:root{color-scheme:light dark;
--bg:#fcfcfa;--raise:#fff;--sunk:#f5f5f1;--ink:#1b1c1e;--mute:#565a60;--faint:#6c7076;
--rule:#e5e4de;--rule2:#cfcec7;--accent:#2b5cd6;--on-accent:#fff;--accent-soft:#eaf0fd;
--reg:#b3361b;--imp:#0b7265;--same:#666a70;--inc:#8a5d00;--fail:#8c1d5b;--none:#6a4fa3;
--band:#ecebe4;--grid:#e9e8e2;--zero:#a9a9a2;
--sans:Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,SFMono-Regular,"JetBrains Mono",Menlo,Consolas,"Liberation Mono",monospace}
@media screen and (prefers-color-scheme:dark){:root{
--bg:#131417;--raise:#191b1f;--sunk:#1b1d21;--ink:#e7e7e4;--mute:#a4a6ab;--faint:#8b8e94;
--rule:#292c31;--rule2:#3d4148;--accent:#8fb2ff;--on-accent:#10131a;--accent-soft:#1d2740;
--reg:#ff8f73;--imp:#54c9b6;--same:#a2a6ad;--inc:#e6b455;--fail:#f08bbf;--none:#bda6f2;
--band:#22252a;--grid:#24272c;--zero:#5c6068}}
`
