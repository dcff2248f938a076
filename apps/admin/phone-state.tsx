/** How a phone of the door is: its state and last contact, the device, and what somebody should know. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listPhones } from '#server/contract/phones.ts';
import { wireVersion } from '#server/contract/version.ts';
import { clockWarningMs } from '#server/domain/phone.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatAgo, formatSpan } from './clock.ts';
import { phoneRoleWords, phoneStateWords } from './words.ts';

export type Phone = ReplyOf<typeof listPhones>['items'][number];

/** Without signal a phone goes on working, but after this long nobody can say that all is well with it. */
const silentMs = 5 * 60_000;
/** A third of an evening, and of a bad battery. */
const lowBattery = 0.2;

export function PhoneState({ phone, now }: { phone: Phone; now: number }) {
  const words = phoneStateWords[phone.state];
  return (
    <>
      <span className="seen">
        <Badge tone={words.tone} icon={words.icon}>{words.word}</Badge>
        {phone.last_seen_at !== null && <time dateTime={phone.last_seen_at}>{formatAgo(phone.last_seen_at, now)}</time>}
      </span>
      <span className="soft">{tellDevice(phone)}</span>
    </>
  );
}

/** "Responsabile · versione 1.4 · batteria 80 % · orologio +2 s" */
export function tellDevice(phone: Phone): string {
  const parts = [
    phoneRoleWords[phone.role].word,
    phone.app_version === null ? null : `versione ${phone.app_version}`,
    phone.battery === null ? null : `batteria ${Math.round(phone.battery * 100)}\u00a0%`,
    phone.clock_offset_ms === null || Math.abs(phone.clock_offset_ms) < 1_000 ? null : `orologio ${phone.clock_offset_ms > 0 ? '−' : '+'}${formatSpan(Math.abs(phone.clock_offset_ms))}`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

export function PhoneNotes({ phone, now }: { phone: Phone; now: number }) {
  const offset = phone.clock_offset_ms ?? 0;
  const queue = phone.queue_length ?? 0;
  const shelf = phone.shelf_length ?? 0;
  const isOld = phone.wire_version !== null && phone.wire_version < wireVersion;
  const isTired = phone.battery !== null && phone.battery < lowBattery && phone.state === 'paired';
  const isHeard = phone.state === 'paired' && phone.last_seen_at !== null && now - Date.parse(phone.last_seen_at) < silentMs;
  return (
    <ul className="notes">
      {phone.missing_scans > 0 && <li className="note-bad"><Icon name="warning" size={15} /> {phone.missing_scans === 1 ? 'Manca 1 lettura' : `Mancano ${phone.missing_scans} letture`}</li>}
      {shelf > 0 && <li className="note-bad"><Icon name="warning" size={15} /> {formatCount(shelf, 'lettura illeggibile', 'letture illeggibili')}: salvale dal telefono</li>}
      {Math.abs(offset) > clockWarningMs && <li className="note-warn"><Icon name="clock" size={15} /> Orologio {offset > 0 ? 'indietro' : 'avanti'} di {formatSpan(Math.abs(offset))}</li>}
      {isTired && <li className="note-warn"><Icon name="bolt" size={15} /> Batteria quasi scarica</li>}
      {isOld && <li className="note-warn"><Icon name="refresh" size={15} /> App da aggiornare</li>}
      {queue > 0 && <li className={phone.state === 'revoked' ? 'note-warn' : undefined}><Icon name="upload" size={15} /> {formatCount(queue, 'ingresso', 'ingressi')} da inviare</li>}
      {isHeard && phone.missing_scans === 0 && queue === 0 && shelf === 0 && Math.abs(offset) <= clockWarningMs && !isTired && !isOld && <li className="note-good"><Icon name="check" size={15} /> Tutto a posto</li>}
    </ul>
  );
}
