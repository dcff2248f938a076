/** Which test files begin first: those that take longest, so that at the end no worker is alone with one of them. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By the time they take, the longest first; all others follow by their size. */
const longest = [
  'deploy/upgrade.test.ts',
  'soak/soak.test.ts',
  'failover/failover.test.ts',
  'scanner/door.test.ts',
  'scanner/screens-acts.test.ts',
  'crash/kill.test.ts',
  'scanner/camera.test.ts',
  'e2e/story.test.ts',
  'server/booking/simulation.test.ts',
  'chart/accessibility.test.ts',
  'e2e/order-page.test.ts',
  'designer/dialogs.test.ts',
  'admin/event-form.test.ts',
  'scanner/sync-simulation.test.ts',
  'server/refund/trouble.test.ts',
  'runner.test.ts',
  'admin/presence.test.ts',
  'standins/stripe/durability.test.ts',
  'server/booking/payments.test.ts',
  'server/booking/booking.test.ts',
  'server/refund/refunds.test.ts',
  'admin/phones.test.ts',
  'server/event/desk.test.ts',
  'server/office/office.test.ts',
  'e2e/spec-errors.test.ts',
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
