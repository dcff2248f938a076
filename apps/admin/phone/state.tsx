/** The state of a phone: last contact, device, and problems. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listPhones } from '#server/contract/door/phones.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import { clockWarningMs } from '#server/domain/door/phone.ts';
import { staleMs } from '#server/domain/door/presence.ts';
import { formatCount } from '#apps/shared/format.ts';
import { formatAgo, formatSpan } from '#apps/admin/kit/clock.ts';
import { isOn, tellStrangeGate, type DoorChoice } from './events.ts';
import { phoneRoleWords, phoneStateWords } from '#apps/admin/kit/words.ts';
import { SecondLine } from '#apps/admin/kit/list/table.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { Notes, type Note } from '#apps/admin/kit/page/notes.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import styles from './phones.module.css';

export type Phone = ReplyOf<typeof listPhones>['items'][number];

/** A phone works without signal, but after this time its state is unknown. */
const silentMs = 5 * 60_000;
/** The phone's battery lasts at least a third of an evening above this level. */
const lowBattery = 0.2;

/** The phone has been silent for so long that later scans may be missing. */
export function isSilent(
  { state, last_seen_at }: Pick<Phone, 'state' | 'last_seen_at'>,
  now: number,
): boolean {
  return state === 'paired' && (last_seen_at === null || now - Date.parse(last_seen_at) > staleMs);
}

export function PhoneState({ phone, now }: { phone: Phone; now: number }) {
  return (
    <>
      <span className={styles.seen}>
        <StateBadge {...phoneStateWords[phone.state]} />
        {phone.last_seen_at !== null && (
          <time dateTime={phone.last_seen_at}>{formatAgo(phone.last_seen_at, now)}</time>
        )}
      </span>
      <SecondLine>{tellDevice(phone)}</SecondLine>
    </>
  );
}

/** As in "Responsabile · versione 1.4 · batteria 80 % · orologio +2 s". */
export function tellDevice(phone: Phone): string {
  const offset = phone.clock_offset_ms ?? 0;
  return joinParts(
    phoneRoleWords[phone.role].word,
    phone.app_version !== null && `versione ${phone.app_version}`,
    phone.battery !== null && `batteria ${Math.round(phone.battery * 100)}\u00a0%`,
    Math.abs(offset) >= 1_000 &&
      `orologio ${offset > 0 ? '−' : '+'}${formatSpan(Math.abs(offset))}`,
  );
}

/** Problems, worst first. `choices` are the events; without them gate and silence are ignored. */
function troublesOf(phone: Phone, now: number, choices: readonly DoorChoice[]): (Note | false)[] {
  const offset = phone.clock_offset_ms ?? 0;
  const queue = phone.queue_length ?? 0;
  const shelf = phone.shelf_length ?? 0;
  const isPaired = phone.state === 'paired';
  const own = choices.filter(({ id }) => phone.events.some((event) => event.id === id));
  const strange = phone.state === 'revoked' ? null : tellStrangeGate(phone.gate, own);
  return [
    phone.missing_scans > 0 && {
      tone: 'bad',
      icon: 'warning',
      text:
        phone.missing_scans === 1 ? 'Manca 1 lettura' : `Mancano ${phone.missing_scans} letture`,
    },
    shelf > 0 && {
      tone: 'bad',
      icon: 'warning',
      text: `${formatCount(shelf, 'lettura illeggibile', 'letture illeggibili')}: salvale dal telefono`,
    },
    isSilent(phone, now) &&
      own.some((event) => isOn(event, now)) && {
        tone: 'warn',
        icon: 'offline',
        text:
          phone.last_seen_at === null
            ? 'Fermo'
            : `Fermo da ${formatSpan(now - Date.parse(phone.last_seen_at))}`,
      },
    strange !== null && { tone: 'warn', icon: 'door', text: strange },
    Math.abs(offset) > clockWarningMs && {
      tone: 'warn',
      icon: 'clock',
      text: `Orologio ${offset > 0 ? 'indietro' : 'avanti'} di ${formatSpan(Math.abs(offset))}`,
    },
    phone.battery !== null &&
      phone.battery < lowBattery &&
      isPaired && { tone: 'warn', icon: 'bolt', text: 'Batteria quasi scarica' },
    phone.wire_version !== null &&
      phone.wire_version < wireVersion && {
        tone: 'warn',
        icon: 'refresh',
        text: 'App da aggiornare',
      },
    queue > 0 && {
      ...(phone.state === 'revoked' && { tone: 'warn' as const }),
      icon: 'upload',
      text: `${formatCount(queue, 'lettura', 'letture')} da inviare`,
    },
  ];
}

/** Phones with problems come first; the others keep their order. */
export function worstFirst(
  phones: readonly Phone[],
  now: number,
  choices: readonly DoorChoice[],
): Phone[] {
  const ranked = phones.map((phone) => {
    const troubles = troublesOf(phone, now, choices);
    const worst = troubles.findIndex((trouble) => trouble !== false);
    return { phone, rank: worst === -1 ? troubles.length : worst };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ phone }) => phone);
}

interface PhoneNotesProps {
  phone: Phone;
  now: number;
  choices?: readonly DoorChoice[];
}

export function PhoneNotes({ phone, now, choices = [] }: PhoneNotesProps) {
  const notes = troublesOf(phone, now, choices).filter((trouble) => trouble !== false);
  const isHeard =
    phone.state === 'paired' &&
    phone.last_seen_at !== null &&
    now - Date.parse(phone.last_seen_at) < silentMs;
  if (notes.length === 0 && isHeard)
    notes.push({ tone: 'good', icon: 'check', text: 'Tutto a posto' });
  return <Notes notes={notes} />;
}
