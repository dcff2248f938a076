/**
 * The order of test files: the slowest begin first, so that no worker runs one of them alone at
 * the end.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, the slowest first; all others follow by size. */
const longest = [
  'scanner/door.test.ts',
  'e2e/audit-tickets.test.ts',
  'e2e/order-page.test.ts',
  'e2e/audit-event.test.ts',
  'designer/dialogs.test.ts',
  'admin/event-form.test.ts',
  'chart/accessibility.test.ts',
  'server/mail/messages.test.ts',
  'scanner/camera.test.ts',
  'runner.test.ts',
  'bench/bench.proof.ts',
  'server/booking/simulation.proof.ts',
  'scanner/sync-simulation.proof.ts',
  'soak/soak.proof.ts',
  'crash/kill.proof.ts',
  'crash/every-write.proof.ts',
  'failover/failover.proof.ts',
  'deploy/shipped.proof.ts',
  'deploy/upgrade.proof.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.indexOf(relative(this.ctx.config.root, moduleId));
      return rank === -1 ? longest.length : rank;
    };
    const bySize = await super.sort(files);
    return bySize.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
