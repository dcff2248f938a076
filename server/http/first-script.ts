/** The one script that stands in a page itself: it sets the visitor's colours before the first frame; the policy names it by its hash. */
import { createHash } from 'node:crypto';

/** The key is that of apps/booking/theme-switch.tsx. */
const text = "try{var t=localStorage.getItem('botteghino.theme.1');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}";

export const firstScript = `<script>${text}</script>`;
/** For script-src. */
export const firstScriptHash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
