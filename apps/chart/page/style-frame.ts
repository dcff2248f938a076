/**
 * The styles of the frame: legend and filter above, map with its tools, card and messages,
 * buttons below; on a phone the tools are in the lower bar.
 */

export const frameStyle = `
.bsc{--bsc-bg:#fff;--bsc-raised:#fff;--bsc-text:#171b22;--bsc-muted:#596274;--bsc-line:#d3d8e0;--bsc-selected:#14181f;--bsc-on-selected:#fff;--bsc-chosen:#14181f;--bsc-on-chosen:#fff;--bsc-error:#d3273e;
--bsc-font:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;--bsc-radius:10px;--bsc-radius-large:16px;--bsc-radius-button:12px;
position:relative;box-sizing:border-box;width:100%;height:100%;min-height:360px;overflow:hidden;container:bsc/inline-size;background:var(--bsc-bg);color:var(--bsc-text);
font:400 15px/1.4 var(--bsc-font);-webkit-font-smoothing:antialiased;text-align:left}
.bsc *{box-sizing:border-box;-webkit-tap-highlight-color:transparent}
.bsc [hidden]{display:none!important}
.bsc button,.bsc input,.bsc legend{font:inherit;color:inherit;margin:0}
.bsc button{cursor:pointer}
.bsc :focus-visible{outline:3px solid var(--bsc-text);outline-offset:2px;border-radius:8px}
.bsc-icon{width:22px;height:22px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round;flex:none}
.bsc-frame{display:grid;grid-template:auto minmax(0,1fr) auto/minmax(0,1fr) auto;grid-template-areas:"bar bar" "stage stage" "foot tools";height:100%;min-height:inherit}
.bsc-bar{grid-area:bar;min-width:0;border-bottom:1px solid var(--bsc-line)}
.bsc-legend{display:flex;flex-wrap:wrap;gap:6px 16px;margin:0;padding:10px 14px;list-style:none;font-size:13.5px}
.bsc-legend:empty{display:none}
.bsc-legend li{display:flex;align-items:center;gap:7px;margin:0;overflow-wrap:anywhere}
.bsc-legend b,.bsc-chip b{font-weight:600;color:var(--bsc-muted)}
.bsc-legend span+b::before,.bsc-chip span+b::before{content:"· "}
.bsc-key{color:var(--bsc-muted)}
.bsc-filter{display:flex;gap:8px;padding:8px 14px;overflow-x:auto;scrollbar-width:thin;font-size:14px}
.bsc-filter+.bsc-legend{padding-top:0}
.bsc-chip{display:flex;align-items:center;gap:7px;min-height:44px;padding:6px 14px;border:1px solid var(--bsc-line);border-radius:22px;background:none;white-space:nowrap}
.bsc-chip[aria-pressed=true]{border:2px solid var(--bsc-text);padding:5px 13px;background:var(--bsc-raised);font-weight:600}
.bsc-swatch{display:inline-flex;align-items:center;justify-content:center;width:14px;height:14px;border-radius:50%;flex:none;forced-color-adjust:none}
.bsc-swatch .bsc-icon{width:14px;height:14px;stroke-width:3}
.bsc-mine{background:var(--bsc-chosen);color:var(--bsc-on-chosen)}
.bsc-swatch.bsc-sign{width:18px;height:18px;margin-inline:-2px;color:var(--bsc-text)}
.bsc-swatch.bsc-sign .bsc-icon{width:18px;height:18px;stroke-width:.15}
.bsc-taken{border:1.5px solid var(--bsc-muted);color:var(--bsc-muted)}
.bsc-dot{display:inline-block;width:11px;height:11px;margin-right:7px;border-radius:50%;flex:none;forced-color-adjust:none}
.bsc-stage{grid-area:stage;position:relative;min-width:0;min-height:0}
.bsc-map{position:absolute;inset:0;width:100%;height:100%;display:block;touch-action:pan-y;user-select:none;-webkit-user-select:none;-webkit-touch-callout:none;cursor:grab}
.bsc-map:active{cursor:grabbing}
.bsc-map.bsc-over{cursor:pointer}
.bsc-map:focus-visible{outline-offset:-4px}
.bsc-tools{grid-area:tools;display:flex;gap:1px;background:var(--bsc-line);border:solid var(--bsc-line);border-width:1px 0 0 1px}
.bsc-tools button{display:grid;place-items:center;width:46px;min-height:50px;padding:0;border:0;background:var(--bsc-raised);touch-action:manipulation}
.bsc-tools button[aria-disabled=true]{color:var(--bsc-muted);cursor:default}
.bsc-tools button[aria-disabled=true] svg{opacity:.45}
.bsc-tools button[aria-pressed=true]{background:var(--bsc-text);color:var(--bsc-bg)}
.bsc-band{position:absolute;left:0;top:0;border:2px dashed var(--bsc-text);background:color-mix(in srgb,var(--bsc-text) 14%,transparent);pointer-events:none}
.bsc-tools button:focus-visible{outline-offset:-4px}
@media(hover:hover){.bsc-tools button:not([aria-disabled=true]):hover,.bsc-offer:not([aria-disabled=true]):hover,.bsc-plain:hover,.bsc-opener:hover,.bsc-toggle:hover,.bsc-chip:hover,.bsc-step:hover,.bsc-radio:hover{background:color-mix(in srgb,var(--bsc-text) 9%,var(--bsc-raised))}}
.bsc-minimap{position:absolute;left:10px;bottom:10px;border-radius:var(--bsc-radius);border:1px solid var(--bsc-line);box-shadow:0 3px 12px #0003;touch-action:none;cursor:crosshair}
.bsc-floors{position:absolute;left:10px;top:10px;max-width:calc(100% - 20px);display:flex;gap:1px;overflow-x:auto;border-radius:var(--bsc-radius-button);background:var(--bsc-line);border:1px solid var(--bsc-line);box-shadow:0 3px 12px #0003;font-size:14px}
.bsc-floors button{min-height:44px;padding:6px 14px;border:0;background:var(--bsc-raised);white-space:nowrap}
.bsc-floors button[aria-pressed=true]{background:var(--bsc-text);color:var(--bsc-bg);font-weight:600}
.bsc-floors button:focus-visible{outline-offset:-5px;outline-color:currentColor}
.bsc-hint,.bsc-note{position:absolute;left:50%;transform:translateX(-50%);max-width:calc(100% - 24px);width:max-content;padding:9px 16px;border-radius:22px;background:var(--bsc-raised);border:1px solid var(--bsc-line);box-shadow:0 4px 16px #0004;font-size:14px;line-height:1.3;text-align:center;pointer-events:none}
.bsc-hint{bottom:6px;padding-block:5px;max-width:calc(100% - 16px)}
.bsc-note{top:12px;z-index:2;font-weight:500}
.bsc-listing .bsc-note{top:auto;bottom:12px}
.bsc-note.bsc-bad{border:2px solid var(--bsc-error);font-weight:600}
.bsc-tip{position:absolute;left:0;top:0;z-index:1;max-width:min(300px,calc(100% - 16px));padding:10px 14px;border-radius:var(--bsc-radius);background:var(--bsc-tip,var(--bsc-raised));color:var(--bsc-on-tip,var(--bsc-text));border:1px solid var(--bsc-line);box-shadow:0 6px 20px #0005;font-size:14px;line-height:1.35;pointer-events:none}
.bsc-tip{--bsc-soft:var(--bsc-on-tip,var(--bsc-muted))}
.bsc-tip>b{display:block;font-weight:650}
.bsc-tip>span,.bsc-dialog-body>span{display:block;color:var(--bsc-soft)}
.bsc-tip>span.bsc-price{display:flex;justify-content:space-between;gap:16px;color:inherit;font-weight:500}
.bsc-columns{display:flex;gap:18px;margin-bottom:5px}
.bsc-columns span{min-width:0}
.bsc-columns small{display:block;font-size:12px;color:var(--bsc-soft)}
.bsc-columns b{font-weight:650;font-size:15px}
.bsc-remark,.bsc-why{font-weight:600}
.bsc-info pre{margin:0;white-space:pre;font:13px/1.35 ui-monospace,monospace}
.bsc-foot{grid-area:foot;display:flex;justify-content:center;min-height:50px;border-top:1px solid var(--bsc-line);background:var(--bsc-raised)}
.bsc-toggle{display:flex;align-items:center;justify-content:center;gap:8px;min-height:50px;padding:6px 18px;border:0;background:none;font-weight:500!important;line-height:1.25!important;text-align:center}
.bsc-toggle:only-child{flex:1}
.bsc-toggle+.bsc-toggle{border-left:1px solid var(--bsc-line)}
.bsc-toggle:focus-visible{outline-offset:-4px!important}
.bsc-toggle span{text-decoration:underline;text-underline-offset:3px;text-decoration-thickness:1px}
.bsc-fill{grid-area:stage;display:flex;flex-direction:column;gap:14px;align-items:center;justify-content:center;padding:24px;text-align:center;color:var(--bsc-muted)}
.bsc-findings{max-height:40%;overflow:auto;padding:12px 16px;border-bottom:1px solid var(--bsc-line);background:var(--bsc-raised)}
.bsc-findings h2{margin:0;font-size:1.05em}
.bsc-findings p{margin:6px 0}
.bsc-findings ul{margin:0;padding-left:20px}
.bsc-findings .bsc-bad{color:var(--bsc-error)}
.bsc-fill .bsc-main{min-height:44px;padding:8px 20px;border-radius:var(--bsc-radius-button);font-weight:600}
.bsc-spinner{width:34px;height:34px;border-radius:50%;border:3px solid var(--bsc-line);border-top-color:var(--bsc-text);animation:bsc-turn .9s linear infinite}
.bsc-silent{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.bsc-listing .bsc-tools{display:none}
.bsc-print .bsc-tools,.bsc-print .bsc-foot{display:none}
@keyframes bsc-turn{to{transform:rotate(1turn)}}
@keyframes bsc-more{0%,90%{mask-image:linear-gradient(#000 60%,#0001)}100%{mask-image:linear-gradient(#000 100%,#000)}}
@container bsc (max-width:560px){
.bsc-legend{gap:4px 12px;max-height:136px;padding:6px 12px;overflow-y:auto;scrollbar-width:thin;font-size:13px}
.bsc-legend:focus-visible{outline-offset:-3px}
@supports (animation-timeline:scroll(self)){.bsc-legend{animation:bsc-more linear;animation-timeline:scroll(self)}}
.bsc-toggle{flex:1;gap:6px;padding:4px 8px;font-size:13px!important;min-width:0}
.bsc-toggle .bsc-icon{width:18px;height:18px}
.bsc-toggle span{min-width:0}
.bsc-hint{padding-inline:12px;font-size:13px}
.bsc-columns{gap:14px}
}
@container bsc (max-width:430px){.bsc-toggle .bsc-icon{display:none}.bsc-toggle{padding:4px 5px}}
@media(max-height:26em){.bsc{min-height:230px}}
@media(max-height:26em) and (max-width:639px){.bsc-legend{flex-wrap:nowrap;overflow-x:auto;padding:4px 12px}.bsc-legend li{flex:none}.bsc-foot,.bsc-toggle,.bsc-tools button{min-height:44px}}
@media(max-height:26em) and (min-width:640px){
.bsc-frame{grid-template:minmax(0,1fr) auto/auto minmax(0,1fr) auto;grid-template-areas:"bar stage stage" "foot foot tools"}
.bsc-bar{max-width:230px;overflow:auto;border-width:0 1px 0 0;border-right:1px solid var(--bsc-line)}
.bsc-legend,.bsc-filter{flex-direction:column;flex-wrap:nowrap}
.bsc-foot,.bsc-toggle,.bsc-tools button{min-height:44px}
}
@media(prefers-reduced-motion:reduce){.bsc-spinner{animation-duration:3s}.bsc *{transition:none!important}}
@media(forced-colors:active){.bsc-mine{background:Highlight;color:HighlightText}.bsc-floors button[aria-pressed=true],.bsc-chip[aria-pressed=true]{forced-color-adjust:none;background:Highlight;color:HighlightText}.bsc-chip[aria-pressed=true] b{color:inherit}}
`;
