/** The list of the door’s phones: state, pairing, new code, revocation. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listPhones, pairAgain, type makePhone } from '#server/contract/phones.ts';
import { foldText, searchWords } from '#server/domain/search.ts';
import { hasRole } from '#server/domain/user.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { useNow } from '#apps/admin/kit/clock.ts';
import { DoorPinPanel } from './pin.tsx';
import { ImportQueue } from './import-queue.tsx';
import { PageTitle } from '#apps/admin/kit/page-title.tsx';
import { SearchField, useAddressFilters } from '#apps/admin/kit/list/filters.tsx';
import { Empty, Loaded } from '#apps/admin/kit/loaded.tsx';
import { ChangePhone, NewPhone, RenewPhone, RevokePhone } from './dialogs.tsx';
import { PairingDialog } from './pairing-dialog.tsx';
import { useDoorChoices, type DoorChoice } from './events.ts';
import { PhoneNotes, PhoneState, worstFirst, type Phone } from './state.tsx';
import { useAct, useUser } from '#apps/admin/shell/session.ts';
import { useTypedSearch } from '#apps/admin/kit/list/typed-search.ts';
import { Notice } from '#apps/admin/kit/notice.tsx';
import { Table, Under } from '#apps/admin/kit/list/table.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './phones.module.css';

type Pairing = ReplyOf<typeof makePhone>;

/** What stands before the list: a form, a fresh code, a question. */
type Open =
  | { kind: 'new' }
  | { kind: 'pairing'; pairing: Pairing }
  | { kind: 'revoke' | 'change' | 'renew'; phone: Phone }
  | { kind: 'import' };

export function PhonesScreen() {
  const mayChange = hasRole(useUser().role, 'admin');
  const phones = useEndpoint(listPhones, {}, { refetchInterval: 5_000 });
  const [open, setOpen] = useState<Open | null>(null);
  const act = useAct();
  const close = () => setOpen(null);

  function showPairing(pairing: Pairing) {
    setOpen({ kind: 'pairing', pairing });
    void phones.refetch();
  }

  async function renew(phoneId: string) {
    showPairing(await act(pairAgain, { params: { phoneId } }));
  }

  /** One that waits for its first code loses nothing by another one. */
  async function renewOrAsk(phone: Phone) {
    if (phone.state === 'paired') setOpen({ kind: 'renew', phone });
    else await renew(phone.id);
  }

  return (
    <>
      <PageTitle title="Telefoni">
        <Button onClick={() => setOpen({ kind: 'import' })} icon="upload" label="Importa letture" />
        {mayChange && (
          <Button
            look="primary"
            onClick={() => setOpen({ kind: 'new' })}
            icon="plus"
            label="Nuovo telefono"
          />
        )}
      </PageTitle>
      {!mayChange && <Notice>Solo un amministratore può aggiungere o revocare i telefoni.</Notice>}
      <Loaded query={phones}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="phone" title="Nessun telefono alla porta.">
              <p>Aggiungine uno: inquadra il suo codice e legge i biglietti anche senza rete.</p>
              <Link to="/rehearsals">Prova prima con una prova generale</Link>
            </Empty>
          ) : (
            <PhoneList
              phones={items}
              onRenew={mayChange ? renewOrAsk : null}
              onOpen={mayChange ? (kind, phone) => setOpen({ kind, phone }) : null}
            />
          )
        }
      </Loaded>
      {mayChange && <DoorPinPanel />}
      {open !== null && (
        <OpenDialog
          open={open}
          onClose={close}
          onDone={() => {
            close();
            void phones.refetch();
          }}
          onPairing={showPairing}
          onRenew={renew}
        />
      )}
    </>
  );
}

interface OpenDialogProps {
  open: Open;
  onClose: () => void;
  /** The list has changed. */
  onDone: () => void;
  onPairing: (pairing: Pairing) => void;
  onRenew: (phoneId: string) => Promise<void>;
}

function OpenDialog({ open, onClose, onDone, onPairing, onRenew }: OpenDialogProps) {
  switch (open.kind) {
    case 'new':
      return <NewPhone onClose={onClose} onMade={onPairing} />;
    case 'pairing':
      return (
        <PairingDialog
          key={open.pairing.pairing_url}
          pairing={open.pairing}
          onClose={onClose}
          onRenew={() => onRenew(open.pairing.phone.id)}
        />
      );
    case 'change':
      return <ChangePhone phone={open.phone} onClose={onClose} onChanged={onDone} />;
    case 'renew':
      return (
        <RenewPhone phone={open.phone} onClose={onClose} onRenew={() => onRenew(open.phone.id)} />
      );
    case 'import':
      return <ImportQueue onClose={onDone} />;
    case 'revoke':
      return <RevokePhone phone={open.phone} onClose={onClose} onRevoked={onDone} />;
  }
}

interface Acts {
  onRenew: ((phone: Phone) => Promise<void>) | null;
  onOpen: ((kind: 'change' | 'revoke', phone: Phone) => void) | null;
}

interface RowProps extends Acts {
  now: number;
  choices: readonly DoorChoice[];
}

/** A theatre has some hundred phones over the years: whoever needs a hand stands above, what was stopped is folded away. */
function PhoneList({ phones, ...acts }: Acts & { phones: Phone[] }) {
  const now = useNow(5_000);
  const choices = useDoorChoices().data ?? [];
  const { text, set } = useAddressFilters();
  const q = text('q');
  const search = useTypedSearch(q, (typed) => set('q', typed));
  const words = searchWords(q);
  const found = worstFirst(
    phones.filter((phone) => isFound(phone, words)),
    now,
    choices,
  );
  const [stopped, inUse] = [
    found.filter(({ state }) => state === 'revoked'),
    found.filter(({ state }) => state !== 'revoked'),
  ];
  const shared = { ...acts, now, choices };
  return (
    <>
      <search className={filterStyles.toolbar}>
        <SearchField
          search={search}
          label="Cerca per nome, varco o evento"
          hint="Nome, varco o evento"
        />
      </search>
      {found.length === 0 && (
        <Empty icon="search" title="Nessun telefono con questo nome.">
          <Button onClick={() => set('q', '')} label="Mostra tutti" />
        </Empty>
      )}
      {inUse.length > 0 && <PhoneTable phones={inUse} {...shared} />}
      {stopped.length > 0 && (
        <details key={q} className={styles.stopped} open={words.length > 0 && inUse.length === 0}>
          <summary>Telefoni revocati ({stopped.length})</summary>
          <PhoneTable phones={stopped} {...shared} />
        </details>
      )}
    </>
  );
}

function isFound({ name, gate, events }: Phone, words: readonly string[]): boolean {
  const text = foldText([name, gate ?? '', ...events.map(({ title }) => title)].join(' '));
  return words.every((word) => text.includes(word));
}

function PhoneTable({ phones, ...row }: RowProps & { phones: Phone[] }) {
  return (
    <Table
      cards
      className={styles.phones}
      columns={[
        'Telefono',
        'Eventi',
        'Stato e ultimo contatto',
        'Da sapere',
        row.onRenew !== null && { hidden: 'Azioni' },
      ]}
    >
      <tbody>
        {phones.map((phone) => (
          <PhoneLine key={phone.id} phone={phone} {...row} />
        ))}
      </tbody>
    </Table>
  );
}

function PhoneLine({ phone, now, choices, onRenew, onOpen }: RowProps & { phone: Phone }) {
  return (
    <tr className={phone.state === 'revoked' ? tableStyles.gone : undefined}>
      <th scope="row" className={styles.name}>
        {onOpen === null || phone.state === 'revoked' ? (
          phone.name
        ) : (
          <button
            type="button"
            className={`${textStyles.link} ${textStyles.strong}`}
            data-row
            onClick={() => onOpen('change', phone)}
          >
            <span className="visually-hidden">Modifica </span>
            {phone.name}
          </button>
        )}
        <Under>{phone.gate ?? 'Tutti i varchi'}</Under>
      </th>
      <td className={tableStyles.aside}>
        {phone.events.map((event) => (
          <span key={event.id} className={textStyles.clip} title={event.title}>
            {event.title}
          </span>
        ))}
      </td>
      <td>
        <PhoneState phone={phone} now={now} />
      </td>
      <td>
        <PhoneNotes phone={phone} now={now} choices={choices} />
      </td>
      {onRenew !== null && onOpen !== null && (
        <td className={styles.actions}>
          {phone.state !== 'revoked' && (
            <span className={styles.buttons}>
              <AsyncButton
                className={buttonStyles.small}
                onClick={() => onRenew(phone)}
                aria-label={`Nuovo codice per ${phone.name}`}
              >
                Nuovo codice
              </AsyncButton>
              <Button
                small
                look="danger"
                onClick={() => onOpen('revoke', phone)}
                aria-label={`Revoca ${phone.name}`}
                label="Revoca"
              />
            </span>
          )}
        </td>
      )}
    </tr>
  );
}
