/** The phones of an event in a table: last contact, scans still to send, and problems. */
import { listPhones } from '#server/contract/door/phones.ts';
import { formatCount } from '#apps/shared/format.ts';
import { formatAgo, useNow } from '#apps/admin/kit/clock.ts';
import { isSilent, PhoneNotes, tellDevice, type Phone } from '#apps/admin/phone/state.tsx';
import type { Presence } from './presence-words.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { phoneStateWords } from '#apps/admin/kit/words.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import styles from './presence.module.css';

interface PresencePhonesProps {
  eventId: string;
  phones: Presence['phones'];
}

export function PresencePhones({ eventId, phones }: PresencePhonesProps) {
  const maySeeMore = useMay(listPhones.who);
  // Users of the door get fewer facts about phones.
  const all = useAllPages(listPhones, { enabled: maySeeMore, refetchInterval: 5_000 });
  const now = useNow(5_000);
  if (phones.length === 0)
    return (
      <Notice icon={null} className={styles.none}>
        Nessun telefono è assegnato a questo evento.
      </Notice>
    );
  const known = new Map(
    all.data?.items
      .filter(({ events }) => events.some(({ id }) => id === eventId))
      .map((phone) => [phone.id, phone]),
  );
  return (
    <Panel className={styles.phones} aria-labelledby="phones-title">
      <h2 id="phones-title">{formatCount(phones.length, 'telefono', 'telefoni')}</h2>
      <Table
        cards
        className={styles.phonesLive}
        columns={['Telefono', 'Ultimo contatto', { number: 'Da inviare' }, 'Da sapere']}
      >
        <tbody>
          {phones.map((phone) => (
            <PhoneLine
              key={phone.phone_id}
              phone={phone}
              more={known.get(phone.phone_id)}
              now={now}
            />
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

interface PhoneLineProps {
  phone: Presence['phones'][number];
  /** The facts that only the office may see. */
  more: Phone | undefined;
  now: number;
}

function PhoneLine({ phone, more, now }: PhoneLineProps) {
  return (
    <tr className={phone.state !== 'paired' || isSilent(phone, now) ? styles.late : undefined}>
      <th scope="row">
        {phone.name}
        <SecondLine>{phone.gate ?? 'Tutti i varchi'}</SecondLine>
      </th>
      <td>
        <HowItIs phone={phone} now={now} />{' '}
        {phone.last_seen_at === null ? (
          <span>mai visto</span>
        ) : (
          <time dateTime={phone.last_seen_at}>{formatAgo(phone.last_seen_at, now)}</time>
        )}
        <SecondLine>
          {more && tellDevice(more)}
          {!more && phone.app_version !== null && `versione ${phone.app_version}`}
        </SecondLine>
      </td>
      <td className={tableStyles.number}>
        {phone.queue_length === null ? '–' : phone.queue_length.toLocaleString('it-IT')}
      </td>
      <td>{more && <PhoneNotes phone={more} now={now} />}</td>
    </tr>
  );
}

function HowItIs({ phone, now }: { phone: Presence['phones'][number]; now: number }) {
  if (phone.state !== 'paired')
    return (
      <StateBadge
        tone="warn"
        icon={phoneStateWords[phone.state].icon}
        word={phone.state === 'revoked' ? phoneStateWords.revoked.word : 'Da abbinare'}
      />
    );
  return isSilent(phone, now) ? (
    <StateBadge tone="warn" icon="offline" word="Fermo" />
  ) : (
    <StateBadge tone="good" icon="online" word="In linea" />
  );
}
