/**
 * Installs what the tests need beside npm packages (browsers, dictionary) and prints where each
 * is.
 */
import { ensureCaddy, ensureNginx, ensureSystemd } from '#tests/support/deploy/programs.ts';
import { bringAll, Missing } from './bring.ts';
import { ensureChromium, ensureShell } from './browser.ts';
import { ensureFirefox } from './firefox.ts';
import { ensureHunspell } from './spelling.ts';
import { ensureWebKit } from './webkit.ts';

try {
  bringAll({
    Chromium: ensureChromium,
    'headless shell': ensureShell,
    Firefox: ensureFirefox,
    WebKit: ensureWebKit,
    nginx: ensureNginx,
    Caddy: ensureCaddy,
    systemd: ensureSystemd,
    'Italian dictionary': ensureHunspell,
  });
} catch (error) {
  console.error(error instanceof Missing ? error.message : error);
  process.exitCode = 1;
}
