/** The chart's style sheet; adopted rather than written into the page, so that a strict content policy lets it in. */

const css = `
.bsc{--bsc-bg:#fff;--bsc-raised:#fff;--bsc-text:#171b22;--bsc-muted:#596274;--bsc-line:#d3d8e0;--bsc-selected:#14181f;--bsc-on-selected:#fff;--bsc-error:#d3273e;
position:relative;display:flex;flex-direction:column;box-sizing:border-box;width:100%;height:100%;min-height:360px;overflow:hidden;background:var(--bsc-bg);color:var(--bsc-text);
font:400 15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-font-smoothing:antialiased;text-align:left}
.bsc *{box-sizing:border-box}
.bsc [hidden]{display:none!important}
.bsc button{font:inherit;color:inherit;margin:0;cursor:pointer;-webkit-tap-highlight-color:transparent}
.bsc :focus-visible{outline:3px solid var(--bsc-text);outline-offset:2px;border-radius:8px}
.bsc-icon{width:22px;height:22px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round;flex:none}
.bsc-legend{order:0;flex:none;display:flex;flex-wrap:wrap;gap:6px 16px;margin:0;padding:10px 14px;list-style:none;font-size:13.5px;border-bottom:1px solid var(--bsc-line)}
.bsc-legend li{display:flex;align-items:center;gap:7px;margin:0;white-space:nowrap}
.bsc-legend b{font-weight:600;color:var(--bsc-muted)}
.bsc-legend b::before{content:"· "}
.bsc-key{color:var(--bsc-muted)}
.bsc-swatch{display:inline-flex;align-items:center;justify-content:center;width:14px;height:14px;border-radius:50%;flex:none;forced-color-adjust:none}
.bsc-swatch .bsc-icon{width:14px;height:14px;stroke-width:3}
.bsc-mine{background:var(--bsc-selected);color:var(--bsc-on-selected)}
.bsc-taken{border:1.5px solid var(--bsc-muted);color:var(--bsc-muted)}
.bsc-stage{order:1;position:relative;flex:1;min-height:0}
.bsc-map{position:absolute;inset:0;width:100%;height:100%;display:block;touch-action:pan-y;user-select:none;-webkit-user-select:none;-webkit-touch-callout:none;cursor:grab}
.bsc-map:active{cursor:grabbing}
.bsc-map.bsc-over{cursor:pointer}
.bsc-map:focus-visible{outline-offset:-4px}
.bsc-tools{position:absolute;right:10px;bottom:10px;display:flex;flex-direction:column;gap:1px;border-radius:12px;overflow:hidden;background:var(--bsc-line);border:1px solid var(--bsc-line);box-shadow:0 3px 12px #0003}
.bsc-tools button{display:grid;place-items:center;width:44px;height:44px;border:0;background:var(--bsc-raised);touch-action:manipulation}
.bsc-tools button[aria-disabled=true]{color:var(--bsc-muted);cursor:default}
.bsc-tools button[aria-disabled=true] svg{opacity:.45}
.bsc-tools button:focus-visible{outline-offset:-4px}
@media(hover:hover){.bsc-tools button:not([aria-disabled=true]):hover,.bsc-offer:hover,.bsc-plain:hover,.bsc-opener:hover{background:color-mix(in srgb,var(--bsc-text) 9%,var(--bsc-raised))}}
.bsc-minimap{position:absolute;left:10px;bottom:10px;border-radius:10px;border:1px solid var(--bsc-line);box-shadow:0 3px 12px #0003;touch-action:none;cursor:crosshair}
.bsc-hint,.bsc-note{position:absolute;left:50%;transform:translateX(-50%);max-width:calc(100% - 24px);padding:9px 16px;border-radius:22px;background:var(--bsc-raised);border:1px solid var(--bsc-line);box-shadow:0 4px 16px #0004;font-size:14px;line-height:1.3;text-align:center;pointer-events:none}
.bsc-hint{bottom:14px;width:max-content;max-width:calc(100% - 140px)}
.bsc-note{top:12px;width:max-content;z-index:2;font-weight:500}
.bsc-listing .bsc-note{top:auto;bottom:12px}
.bsc-note.bsc-bad{border:2px solid var(--bsc-error);font-weight:600}
.bsc-tip{position:absolute;left:0;top:0;z-index:1;max-width:min(280px,calc(100% - 16px));padding:9px 13px;border-radius:10px;background:var(--bsc-tip,var(--bsc-raised));border:1px solid var(--bsc-line);box-shadow:0 6px 20px #0005;font-size:14px;line-height:1.35;pointer-events:none}
.bsc-tip b{display:block;font-weight:650}
.bsc-tip span{display:block;color:var(--bsc-muted)}
.bsc-tip span.bsc-price{color:inherit;font-weight:500}
.bsc-toggle{order:2;flex:none;display:flex;align-items:center;justify-content:center;gap:8px;min-height:48px;padding:8px 14px;border:0;border-top:1px solid var(--bsc-line);background:var(--bsc-raised);font-weight:500!important;text-align:center}
.bsc-toggle:focus-visible{outline-offset:-4px!important}
.bsc-toggle span{text-decoration:underline;text-underline-offset:3px;text-decoration-thickness:1px}
.bsc-list{position:absolute;inset:0;z-index:1;overflow:auto;padding:6px 14px 24px;background:var(--bsc-bg);overscroll-behavior:contain}
.bsc-list h2{margin:10px 0 8px;font-size:17px;line-height:1.3;font-weight:650}
.bsc-list h3,.bsc-list h4{margin:0;font-size:inherit;font-weight:inherit}
.bsc-part{border:1px solid var(--bsc-line);border-radius:12px;margin-bottom:8px;overflow:hidden;background:var(--bsc-raised)}
.bsc-opener{display:flex;align-items:center;gap:8px;width:100%;min-height:48px;padding:8px 12px;border:0;background:none;text-align:left}
.bsc-opener span{font-weight:600}
.bsc-opener small{margin-left:auto;text-align:right;font-size:13px;color:var(--bsc-muted)}
.bsc-opener .bsc-icon{width:18px;height:18px;transition:transform .15s}
.bsc-opener[aria-expanded=true] .bsc-icon{transform:rotate(90deg)}
.bsc-opener:focus-visible{outline-offset:-4px!important}
.bsc-row{border-top:1px solid var(--bsc-line)}
.bsc-row .bsc-opener{min-height:44px;padding-left:24px}
.bsc-row .bsc-opener span{font-weight:500;white-space:nowrap}
.bsc-seats{display:flex;flex-wrap:wrap;gap:6px;padding:6px 12px 14px 24px}
.bsc-alone{padding:10px 12px}
.bsc-alone .bsc-seat{width:100%;text-align:left;padding:8px 14px}
.bsc-seat small{margin-left:10px;font-size:13px;opacity:.8}
.bsc-gap{width:16px}
.bsc-seat{position:relative;min-width:44px;min-height:44px;padding:4px 10px;border:2px solid var(--bsc-tint,var(--bsc-line));border-radius:10px;background:none;font-variant-numeric:tabular-nums}
.bsc-seat[aria-pressed=true]{background:var(--bsc-selected);border-color:var(--bsc-selected);color:var(--bsc-on-selected);font-weight:650}
.bsc-seat[aria-pressed=true]::before{content:"✓ "}
.bsc-seat[aria-busy=true]{border-style:dashed}
.bsc-seat[aria-busy=true][aria-pressed=true]{border-color:var(--bsc-bg)}
.bsc-seat[aria-disabled=true]{border:1px dashed var(--bsc-line);color:var(--bsc-muted);text-decoration:line-through;cursor:default}
.bsc-seat.bsc-orphan{border-color:var(--bsc-error)}
.bsc-seat.bsc-orphan::after{content:"!";position:absolute;top:-8px;right:-6px;width:18px;height:18px;border-radius:50%;background:var(--bsc-error);color:var(--bsc-bg);font:700 13px/18px system-ui,sans-serif;text-align:center}
.bsc-dialog{position:fixed;box-sizing:border-box;width:min(340px,calc(100vw - 24px));max-height:calc(100dvh - 24px);margin:auto;padding:0;border:1px solid var(--bsc-line);border-radius:16px;background:var(--bsc-raised);color:var(--bsc-text);box-shadow:0 14px 44px #0007;overflow:auto}
.bsc-dialog::backdrop{background:#0006}
.bsc-dialog.bsc-anchored{margin:0}
.bsc-dialog.bsc-anchored::backdrop{background:#0002}
.bsc-dialog.bsc-sheet{width:100%;max-width:560px;margin:auto auto 0;border-radius:18px 18px 0 0;border-width:1px 0 0;padding-bottom:env(safe-area-inset-bottom)}
.bsc-dialog-body{padding:18px}
.bsc-dialog h2{margin:0;font-size:17px;line-height:1.3;font-weight:650}
.bsc-detail,.bsc-ask{margin:3px 0 0;color:var(--bsc-muted);font-size:14px}
.bsc-offers{display:flex;flex-direction:column;gap:8px;margin-top:14px}
.bsc-offer{display:flex;align-items:center;gap:12px;min-height:52px;padding:8px 14px;border:1px solid var(--bsc-line);border-radius:12px;background:none;text-align:left}
.bsc-offer b{margin-left:auto;font-weight:650;white-space:nowrap;font-variant-numeric:tabular-nums}
.bsc-offer-name{font-weight:500;min-width:0}
.bsc-offer-name small{display:block;font-weight:400;font-size:13px;color:var(--bsc-muted)}
.bsc-count{display:flex;align-items:center;gap:10px;margin-top:12px}
.bsc-count .bsc-offer-name{margin-right:auto}
.bsc-count output{min-width:26px;text-align:center;font-weight:650;font-size:17px;font-variant-numeric:tabular-nums}
.bsc-step{display:grid;place-items:center;width:44px;height:44px;padding:0;border:1px solid var(--bsc-line);border-radius:50%;background:none;touch-action:manipulation}
.bsc-step[aria-disabled=true]{opacity:.4;cursor:default}
.bsc-total{margin:14px 0 0;font-weight:600;text-align:right;min-height:1.4em}
.bsc-actions{display:flex;justify-content:flex-end;gap:8px;margin-top:14px}
.bsc-actions button{min-height:44px;padding:8px 18px;border-radius:12px;font-weight:600}
.bsc-plain{border:1px solid transparent;background:none}
.bsc-main{border:1px solid var(--bsc-selected);background:var(--bsc-selected);color:var(--bsc-on-selected)!important}
.bsc-fill{order:1;flex:1;display:flex;flex-direction:column;gap:14px;align-items:center;justify-content:center;padding:24px;text-align:center;color:var(--bsc-muted)}
.bsc-fill .bsc-main{min-height:44px;padding:8px 20px;border-radius:12px;font-weight:600}
.bsc-spinner{width:34px;height:34px;border-radius:50%;border:3px solid var(--bsc-line);border-top-color:var(--bsc-text);animation:bsc-turn .9s linear infinite}
.bsc-silent{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@keyframes bsc-turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.bsc-spinner{animation-duration:3s}.bsc *{transition:none!important}}
@media(max-width:480px){.bsc-legend{gap:5px 12px;padding:8px 12px;font-size:13px}}
@media(forced-colors:active){.bsc-seat[aria-pressed=true]{forced-color-adjust:none;background:Highlight;color:HighlightText}.bsc-mine{background:Highlight;color:HighlightText}}
`;

const users = new Map<Document | ShadowRoot, { sheet: CSSStyleSheet; count: number }>();

/** Styles the page or shadow tree that a container stands in; the answer takes it away again with its last user. */
export function adoptStyle(container: Node): () => void {
  const root = container.getRootNode();
  const home = root instanceof ShadowRoot ? root : document;
  const used = users.get(home) ?? { sheet: new CSSStyleSheet(), count: 0 };
  if (used.count === 0) {
    used.sheet.replaceSync(css);
    home.adoptedStyleSheets = [...home.adoptedStyleSheets, used.sheet];
    users.set(home, used);
  }
  used.count += 1;
  return () => {
    used.count -= 1;
    if (used.count > 0) return;
    home.adoptedStyleSheets = home.adoptedStyleSheets.filter((sheet) => sheet !== used.sheet);
    users.delete(home);
  };
}
