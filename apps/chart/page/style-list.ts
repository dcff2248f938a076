/** The styles of the list that covers the map. */

export const listStyle = `
.bsc-list{position:absolute;inset:0;z-index:1;overflow:auto;padding:6px 14px 24px;background:var(--bsc-bg);overscroll-behavior:contain}
.bsc-list h2{margin:10px 0 2px;font:650 17px/1.3 var(--bsc-font)}
.bsc-list h3,.bsc-list h4{margin:0;font:inherit}
.bsc-help{margin:0 0 10px;font-size:13px;color:var(--bsc-muted)}
@media(hover:none){.bsc-help{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
.bsc-check{display:flex;align-items:center;gap:10px;min-height:44px;margin-bottom:6px;cursor:pointer}
.bsc-check input,.bsc-radio input{width:20px;height:20px;flex:none;accent-color:var(--bsc-selected)}
.bsc-part{border:1px solid var(--bsc-line);border-radius:var(--bsc-radius);margin:0 0 8px;overflow:hidden;background:var(--bsc-raised)}
.bsc-none{display:flex;justify-content:space-between;gap:10px;padding:13px 14px;color:var(--bsc-muted);background:none}
.bsc-opener{display:flex;align-items:center;gap:8px;width:100%;min-height:54px;padding:8px 12px;border:0;background:none;text-align:left}
.bsc-opener span{font-weight:600}
.bsc-opener small{margin-left:auto;text-align:right;font-size:13px;line-height:1.3;color:var(--bsc-muted)}
.bsc-opener .bsc-icon{width:18px;height:18px;transition:transform .15s}
.bsc-opener[aria-expanded=true] .bsc-icon{transform:rotate(90deg)}
.bsc-opener:focus-visible{outline-offset:-4px!important}
.bsc-row{border-top:1px solid var(--bsc-line)}
.bsc-row .bsc-opener{padding-left:24px}
.bsc-row .bsc-opener span{font-weight:500;white-space:nowrap}
.bsc-seats{display:flex;flex-wrap:wrap;gap:6px;padding:6px 12px 14px 24px}
.bsc-alone{padding:10px 12px}
.bsc-alone .bsc-seat{display:flex;align-items:center;justify-content:space-between;flex-wrap:wrap;gap:4px 12px;width:100%;text-align:left;padding:8px 14px}
.bsc-alone .bsc-seat small{margin-left:0}
.bsc-alone .bsc-info{flex-basis:100%;font-size:13px;line-height:1.35;opacity:.85}
.bsc-more{margin:8px 0;min-height:44px;padding:8px 16px;border-radius:var(--bsc-radius-button);text-decoration:underline;text-underline-offset:3px}
.bsc-seat{position:relative;min-width:46px;min-height:44px;padding:4px 10px;border:2px solid var(--bsc-tint,var(--bsc-line));border-radius:var(--bsc-radius);background:none;font-variant-numeric:tabular-nums;touch-action:manipulation}
.bsc-seat small{margin-left:8px;font-size:13px}
.bsc-apart{margin-left:16px}
.bsc-aisle{display:grid;place-items:center;padding:0 8px;border-inline:1px dashed var(--bsc-line);font-size:12px;color:var(--bsc-muted)}
.bsc-seat.bsc-chosen{background:var(--bsc-chosen);border-color:var(--bsc-chosen);color:var(--bsc-on-chosen)}
.bsc-seat.bsc-chosen::before{content:"✓";content:"✓"/"";position:absolute;top:-1px;left:3px;font:700 12px/1.2 var(--bsc-font)}
.bsc-asked{outline:3px solid var(--bsc-text);outline-offset:2px}
.bsc-seat[aria-busy=true]{border-style:dashed}
.bsc-seat.bsc-chosen[aria-busy=true]{border-color:var(--bsc-bg)}
.bsc-seat[aria-disabled=true]{border:2px dashed var(--bsc-line);color:var(--bsc-muted);text-decoration:line-through;cursor:default}
.bsc-seat.bsc-orphan{border-color:var(--bsc-error)}
.bsc-seat.bsc-orphan::after{content:"!";content:"!"/"";position:absolute;top:-8px;right:-6px;width:18px;height:18px;border-radius:50%;background:var(--bsc-error);color:var(--bsc-bg);font:700 13px/18px system-ui,sans-serif;text-align:center}
@container bsc (max-width:400px){.bsc-list{padding-inline:8px}.bsc-row .bsc-opener{padding-left:14px}.bsc-seats{padding-left:14px}}
@media(forced-colors:active){.bsc-seat.bsc-chosen{forced-color-adjust:none;background:Highlight;color:HighlightText}}
`;
