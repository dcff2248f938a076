/**
 * The inline script of every page: the colour scheme before the first frame, and clicks kept
 * until the app listens; the CSP names it by its hash.
 */
import { policyHash } from './policy-hash.ts';

/** The key is that of apps/booking/shell/theme-switch.tsx. */
const colours =
  "try{var t=localStorage.getItem('botteghino.theme.1');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}";

/**
 * The last button that was clicked before apps/booking/shell/early-clicks.ts speaks up; links
 * need no script.
 */
const clicks =
  "!function(){var b;function c(e){b=e.target.closest('button')||b}addEventListener('click',c,true);addEventListener('botteghino:listens',function(){removeEventListener('click',c,true);b&&b.click()},{once:true})}()";

const text = `${colours};${clicks}`;

export const firstScript = `<script>${text}</script>`;
/** Allows the script in the Content-Security-Policy. */
export const firstScriptHash = policyHash(text);
