/** The styles of questions: a box beside the place, or a sheet at the lower edge of a phone. */

export const dialogStyle = `
.bsc-dialog{position:fixed;box-sizing:border-box;width:min(360px,calc(100vw - 24px));max-height:calc(100dvh - 24px);margin:auto;padding:0;border:1px solid var(--bsc-line);border-radius:var(--bsc-radius-large);background:var(--bsc-raised);color:var(--bsc-text);box-shadow:0 14px 44px #0007;overflow:auto}
.bsc-dialog::backdrop{background:#0006}
.bsc-dialog.bsc-anchored{margin:0}
.bsc-dialog.bsc-anchored::backdrop{background:#0002}
.bsc-dialog.bsc-sheet{width:100%;max-width:560px;margin:auto auto 0;border-radius:var(--bsc-radius-large) var(--bsc-radius-large) 0 0;border-width:1px 0 0;padding-bottom:env(safe-area-inset-bottom)}
.bsc-dialog-body{--bsc-soft:var(--bsc-muted);padding:18px;font-size:14px}
.bsc-dialog h2{margin:0;font:650 17px/1.3 var(--bsc-font)}
.bsc-dialog-body>span.bsc-price{display:flex;justify-content:space-between;gap:12px;margin-top:10px;font-size:15px;color:inherit}
.bsc-detail,.bsc-ask{margin:3px 0 0;color:var(--bsc-muted);font-size:14px}
.bsc-ask{margin-top:10px}
.bsc-offers{display:flex;flex-direction:column;gap:8px;margin-top:10px;font-size:15px}
.bsc-offer{display:flex;align-items:center;gap:12px;min-height:52px;padding:8px 14px;border:1px solid var(--bsc-line);border-radius:var(--bsc-radius-button);background:none;text-align:left}
.bsc-offer.bsc-primary{border:2px solid var(--bsc-text);padding:7px 13px}
.bsc-offer[aria-pressed=true]{border:2px solid var(--bsc-selected);padding:7px 13px;box-shadow:inset 0 0 0 2px var(--bsc-selected)}
.bsc-offer[aria-disabled=true]{border-style:dashed;color:var(--bsc-muted);cursor:default}
.bsc-offer .bsc-amount{margin-left:auto}
.bsc-offer-name{font-weight:500;min-width:0}
.bsc-offer-name small{display:block;font-weight:400}
.bsc-dialog small{font-size:13px;color:var(--bsc-muted)}
.bsc-amount{position:relative;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.bsc-amount b{font-weight:650}
.bsc-amount s{color:var(--bsc-muted);font-size:13px}
.bsc-amount small{display:block;font-size:12px;font-weight:400}
.bsc-count{display:flex;align-items:center;gap:6px;margin-top:12px;font-size:15px}
.bsc-count-name{display:grid;gap:1px;margin-right:auto;min-width:0}
.bsc-count-name .bsc-amount{text-align:left}
.bsc-number{width:48px;height:44px;border:1px solid transparent;border-radius:var(--bsc-radius);background:none;text-align:center;font-weight:650!important;font-size:17px!important;font-variant-numeric:tabular-nums;appearance:textfield;-moz-appearance:textfield}
.bsc-number:hover,.bsc-number:focus{border-color:var(--bsc-line)}
.bsc-number::-webkit-inner-spin-button{appearance:none;-webkit-appearance:none}
.bsc-step{display:grid;place-items:center;flex:none;width:44px;height:44px;padding:0;border:1px solid var(--bsc-line);border-radius:var(--bsc-radius-button);background:none;touch-action:manipulation}
.bsc-step[aria-disabled=true]{cursor:default}
.bsc-step[aria-disabled=true] svg{opacity:.4}
.bsc-total{display:flex;justify-content:space-between;align-items:baseline;gap:12px;margin:14px 0 0;font-size:15px;font-weight:600;min-height:1.4em}
.bsc-total:not(:has(small)){justify-content:flex-end}
.bsc-radios{margin:12px 0 0;padding:0;border:0;min-width:0;font-size:15px}
.bsc-radios legend{padding:0;color:var(--bsc-muted);font-size:14px}
.bsc-radio{display:flex;align-items:center;gap:10px;min-height:44px;margin-top:6px;padding:4px 12px;border:1px solid var(--bsc-line);border-radius:var(--bsc-radius-button);cursor:pointer}
.bsc-radio .bsc-dot{margin:0}
.bsc-radio b{margin-left:auto;font-weight:600;color:var(--bsc-muted)}
.bsc-radio:has(:checked){border:2px solid var(--bsc-text);padding:3px 11px}
.bsc-news{margin:12px 0 0;min-height:1.4em}
.bsc-news.bsc-bad{padding-left:10px;border-left:3px solid var(--bsc-error);font-weight:600}
.bsc-actions{display:flex;justify-content:flex-end;gap:8px;margin-top:14px;font-size:15px}
.bsc-actions button{min-height:44px;padding:8px 18px;border-radius:var(--bsc-radius-button);font-weight:600}
.bsc-plain{border:1px solid transparent;background:none}
.bsc-main{border:1px solid var(--bsc-selected);background:var(--bsc-selected);color:var(--bsc-on-selected)!important}
.bsc-main[aria-disabled=true]{background:none;border:1px dashed var(--bsc-line);color:var(--bsc-muted)!important;cursor:default}
.bsc-sheet .bsc-actions button{flex:1}
@media(forced-colors:active){.bsc-offer[aria-pressed=true],.bsc-main:not([aria-disabled=true]){forced-color-adjust:none;background:Highlight;color:HighlightText!important}}
`;
