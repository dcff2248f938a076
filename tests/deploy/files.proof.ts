/** systemd finds nothing wrong with our units; the files for Caddy and nginx are served in proxies.proof.ts. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { ensureSystemd } from '#tests/support/deploy/programs.ts';

const shipped = join(import.meta.dirname, '../../.deploy');
const units = readdirSync(shipped).filter((name) => name.endsWith('.service'));

test('the units are right for systemd, and leave a stranger little', () => {
  const analyze = ensureSystemd();
  const folder = mkdtempSync(join(tmpdir(), 'units-'));
  try {
    for (const unit of units) {
      const text = readFileSync(join(shipped, unit), 'utf8');
      // On this machine the house lies elsewhere: all else is as it is shipped.
      const here = join(folder, unit);
      writeFileSync(here, text.replace(/^(ExecStart\w*=-?)\S+/gm, `$1${process.execPath}`));
      execFileSync(analyze, ['verify', here], { stdio: 'pipe' });
      // Of 100: whatever is left open adds to it.
      execFileSync(analyze, ['security', '--offline=true', '--threshold=20', here], {
        stdio: 'pipe',
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
