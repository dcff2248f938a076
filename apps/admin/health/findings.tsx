/** What is wrong with the house, each with what to do; the owner gets the same by mail. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readHealth } from '#server/contract/health.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';

type Found = ReplyOf<typeof readHealth>['findings'];

/** What a change of the Stripe keys leaves to do. */
const afterKeys: ReadonlySet<string> = new Set(['prices', 'test_money']);

export function Findings({ findings }: { findings: Found }) {
  const mayChangeKeys = useMay('change_site');
  return findings.map(({ name, state, sentence, mend, event_id }) => (
    <Notice key={name} as="div" tone={state === 'red' ? 'bad' : 'warn'} role="status">
      <p>
        <b>{sentence}</b> {mend}
      </p>
      {mayChangeKeys && afterKeys.has(name) && (
        <Link to="/settings/stripe">Cambio di chiavi Stripe</Link>
      )}
      {event_id !== undefined && <Link to={`/events/${event_id}/queue`}>Sala d’attesa</Link>}
    </Notice>
  ));
}
