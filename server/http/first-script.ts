/**
 * The inline script of every page: sets the colour scheme before the first frame, and keeps
 * clicks until the app listens.
 */
import { policyHash } from './policy-hash.ts';

/** `botteghino.theme.1` is the key that apps/booking/shell/theme-switch.tsx stores. */
const colours =
  "try{var t=localStorage.getItem('botteghino.theme.1');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}";

/**
 * Keeps the last button that was clicked until apps/booking/shell/early-clicks.ts is ready; links
 * work without a script.
 */
const clicks =
  "!function(){var b;function c(e){b=e.target.closest('button')||b}addEventListener('click',c,true);addEventListener('botteghino:listens',function(){removeEventListener('click',c,true);b&&b.click()},{once:true})}()";

const text = `${colours};${clicks}`;

export const firstScript = `<script>${text}</script>`;
/** Allows the script in the Content-Security-Policy. */
export const firstScriptHash = policyHash(text);
