/** Shows the chart on the whole screen, where the browser can (iPhones cannot). */
import type { Emit } from '#apps/chart/config.ts';
import type { Shell } from './shell.ts';
import { words } from '#apps/chart/words.ts';

export function offerFullScreen(
  shell: Shell,
  { emit, signal }: { emit: Emit; signal: AbortSignal },
): void {
  if (!document.fullscreenEnabled) return;
  let open = false;
  const button = shell.addTool('full', words.openFullScreen, () => void toggle().catch(() => {}));
  const toggle = () => (open ? document.exitFullscreen() : shell.root.requestFullscreen());
  document.addEventListener(
    'fullscreenchange',
    () => {
      const now = document.fullscreenElement === shell.root;
      if (now === open) return;
      open = now;
      button.title = open ? words.closeFullScreen : words.openFullScreen;
      button.setAttribute('aria-label', button.title);
      emit(open ? 'onFullScreenOpened' : 'onFullScreenClosed');
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    if (document.fullscreenElement === shell.root) void document.exitFullscreen().catch(() => {});
  });
}
