/** The phones of the door: how each of them is, a new one, a new code, and stopping one that is lost. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listPhones, pairAgain, type makePhone } from '#server/contract/phones.ts';
import { clockWarningMs } from '#server/domain/phone.ts';
import { hasRole } from '#server/domain/user.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatAgo, formatSpan, useNow } from './clock.ts';
import { PageTitle } from './layout.tsx';
import { Empty, Loaded } from './loaded.tsx';
import { NewPhone } from './new-phone.tsx';
import { PairingDialog } from './pairing-dialog.tsx';
import { RevokePhone } from './revoke-phone.tsx';
import { useAct, useUser } from './session.ts';
import { phoneStateWords } from './words.ts';

type Phone = ReplyOf<typeof listPhones>['items'][number];
type Pairing = ReplyOf<typeof makePhone>;

/** Without signal a phone goes on working, but after this long nobody can say that all is well with it. */
const silentMs = 5 * 60_000;

/** What stands before the list: a form, a fresh code, a question. */
type Open = { kind: 'new' } | { kind: 'pairing'; pairing: Pairing } | { kind: 'revoke'; phone: Phone } | null;

export function PhonesScreen() {
  const mayChange = hasRole(useUser().role, 'admin');
  const phones = useEndpoint(listPhones, {}, { refetchInterval: 5_000 });
  const [open, setOpen] = useState<Open>(null);
  const act = useAct();
  const close = () => setOpen(null);

  async function renew(phoneId: string) {
    setOpen({ kind: 'pairing', pairing: await act(pairAgain, { params: { phoneId } }) });
    void phones.refetch();
  }

  return (
    <>
      <PageTitle title="Telefoni">
        {mayChange && <button type="button" className="ui-button ui-button-primary" onClick={() => setOpen({ kind: 'new' })}><Icon name="plus" /> Nuovo telefono</button>}
      </PageTitle>
      {!mayChange && <p className="notice"><Icon name="info" /> Solo un amministratore può aggiungere o revocare i telefoni.</p>}
      <Loaded query={phones}>
        {({ items }) => (items.length === 0
          ? <Empty icon="phone" title="Nessun telefono alla porta."><p>Aggiungine uno: inquadra il suo codice e legge i biglietti anche senza rete.</p></Empty>
          : <PhoneTable phones={items} onRenew={mayChange ? renew : null} onRevoke={mayChange ? (phone) => setOpen({ kind: 'revoke', phone }) : null} />)}
      </Loaded>
      {open?.kind === 'new' && <NewPhone onClose={close} onMade={(pairing) => { setOpen({ kind: 'pairing', pairing }); void phones.refetch(); }} />}
      {open?.kind === 'pairing' && <PairingDialog key={open.pairing.pairing_url} pairing={open.pairing} onClose={close} onRenew={() => renew(open.pairing.phone.id)} />}
      {open?.kind === 'revoke' && <RevokePhone phone={open.phone} onClose={close} onRevoked={() => { close(); void phones.refetch(); }} />}
    </>
  );
}

interface PhoneTableProps { phones: Phone[]; onRenew: ((phoneId: string) => Promise<void>) | null; onRevoke: ((phone: Phone) => void) | null }

function PhoneTable({ phones, onRenew, onRevoke }: PhoneTableProps) {
  const now = useNow(5_000);
  return (
    <table className="table phones">
      <thead>
        <tr>
          <th scope="col">Telefono</th><th scope="col">Eventi</th><th scope="col">Stato e ultimo contatto</th><th scope="col">Da sapere</th>
          {onRenew !== null && <th scope="col"><span className="visually-hidden">Azioni</span></th>}
        </tr>
      </thead>
      <tbody>
        {phones.map((phone) => (
          <tr key={phone.id} className={phone.state === 'revoked' ? 'gone' : undefined}>
            <th scope="row" className="cell-name">{phone.name}<span className="soft">{phone.gate ?? 'Tutti i varchi'}</span></th>
            <td className="cell-events">{phone.events.map((event) => <span key={event.id} className="clip" title={event.title}>{event.title}</span>)}</td>
            <td className="cell-state"><PhoneState phone={phone} now={now} /></td>
            <td className="cell-notes"><PhoneNotes phone={phone} now={now} /></td>
            {onRenew !== null && onRevoke !== null && (
              <td className="cell-actions">
                {phone.state !== 'revoked' && (
                  <span className="actions">
                    <AsyncButton className="small" onClick={() => onRenew(phone.id)} aria-label={`Nuovo codice per ${phone.name}`}>Nuovo codice</AsyncButton>
                    <button type="button" className="ui-button ui-button-danger small" onClick={() => onRevoke(phone)} aria-label={`Revoca ${phone.name}`}>Revoca</button>
                  </span>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PhoneState({ phone, now }: { phone: Phone; now: number }) {
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

function tellDevice(phone: Phone): string {
  const parts = [phone.app_version === null ? null : `versione ${phone.app_version}`, phone.battery === null ? null : `batteria ${Math.round(phone.battery * 100)}\u00a0%`];
  return parts.filter((part) => part !== null).join(' · ');
}

function PhoneNotes({ phone, now }: { phone: Phone; now: number }) {
  const offset = phone.clock_offset_ms ?? 0;
  const queue = phone.queue_length ?? 0;
  const isHeard = phone.state === 'paired' && phone.last_seen_at !== null && now - Date.parse(phone.last_seen_at) < silentMs;
  return (
    <ul className="notes">
      {phone.missing_scans > 0 && <li className="note-bad"><Icon name="warning" size={15} /> {phone.missing_scans === 1 ? 'Manca 1 lettura' : `Mancano ${phone.missing_scans} letture`}</li>}
      {Math.abs(offset) > clockWarningMs && <li className="note-warn"><Icon name="clock" size={15} /> Orologio {offset > 0 ? 'indietro' : 'avanti'} di {formatSpan(Math.abs(offset))}</li>}
      {queue > 0 && <li className={phone.state === 'revoked' ? 'note-warn' : undefined}><Icon name="upload" size={15} /> {formatCount(queue, 'ingresso', 'ingressi')} da inviare</li>}
      {isHeard && phone.missing_scans === 0 && queue === 0 && Math.abs(offset) <= clockWarningMs && <li className="note-good"><Icon name="check" size={15} /> Tutto a posto</li>}
    </ul>
  );
}
