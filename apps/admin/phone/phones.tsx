/** The list of the door’s phones: state, pairing, new code, revocation. */
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listPhones, pairAgain, type makePhone } from '#server/contract/door/phones.ts';
import { keyOf } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { useNow } from '#apps/admin/kit/clock.ts';
import { DoorPinPanel } from './pin.tsx';
import { ImportQueue } from './import-queue.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import {
  ListSearchField,
  NothingFound,
  useListSearch,
  type ListSearch,
} from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';
import { ChangePhone, NewPhone, RenewPhone, RevokePhone } from './dialogs.tsx';
import { PairingDialog } from './pairing-dialog.tsx';
import { useDoorChoices, type DoorChoice } from './events.ts';
import { UndoScans } from './undo-scans.tsx';
import { PhoneNotes, PhoneState, worstFirst, type Phone } from './state.tsx';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './phones.module.css';

type Pairing = ReplyOf<typeof makePhone>;

/** The open dialog above the list. */
type Open =
  | { kind: 'new' }
  | { kind: 'pairing'; pairing: Pairing }
  | { kind: 'revoke' | 'change' | 'renew' | 'undo'; phone: Phone }
  | { kind: 'import' };

export function PhonesScreen() {
  const mayChange = useMay('change_devices');
  const client = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const act = useAct();
  const close = () => setOpen(null);
  const refresh = () => void client.invalidateQueries({ queryKey: keyOf(listPhones) });

  function showPairing(pairing: Pairing) {
    setOpen({ kind: 'pairing', pairing });
    refresh();
  }

  async function renew(phoneId: string) {
    showPairing(await act(pairAgain, { params: { phoneId } }));
  }

  /** Only a paired phone loses something with a new code. */
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
      <PhoneLists
        onRenew={mayChange ? renewOrAsk : null}
        onOpen={mayChange ? (kind, phone) => setOpen({ kind, phone }) : null}
        onUndo={(phone) => setOpen({ kind: 'undo', phone })}
      />
      {mayChange && <DoorPinPanel />}
      {open !== null && (
        <OpenDialog
          open={open}
          onClose={close}
          onDone={() => {
            close();
            refresh();
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
  /** Called when the list has changed. */
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
    case 'undo':
      return <UndoScans phone={open.phone} onClose={onClose} onUndone={onDone} />;
    case 'revoke':
      return <RevokePhone phone={open.phone} onClose={onClose} onRevoked={onDone} />;
  }
}

interface Acts {
  onRenew: ((phone: Phone) => Promise<void>) | null;
  onOpen: ((kind: 'change' | 'revoke', phone: Phone) => void) | null;
  onUndo: (phone: Phone) => void;
}

interface RowProps extends Acts {
  now: number;
  choices: readonly DoorChoice[];
}

/** Up to a hundred phones: those with problems come first, revoked ones are folded. */
function PhoneLists(acts: Acts) {
  const now = useNow(5_000);
  const choices = useDoorChoices().data ?? [];
  const search = useListSearch();
  // All pages, because the phone with a problem may be the oldest.
  const inUse = useAllPages(listPhones, {
    query: { ...search.query, revoked: 'false' },
    refetchInterval: 5_000,
    placeholderData: (old) => old,
  });
  const query = { ...search.query, revoked: 'true' as const };
  const stopped = usePages(listPhones, { query }, 30_000);
  const row = { ...acts, now, choices };
  const shownStopped = stopped.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <ListSearchField
        search={search}
        label="Cerca per nome, varco o evento"
        hint="Nome, varco o evento"
      />
      <Loaded query={inUse}>
        {({ items }) => {
          if (items.length > 0)
            return <PhoneTable phones={worstFirst(items, now, choices)} {...row} />;
          return shownStopped.length === 0 && <NoPhones search={search} />;
        }}
      </Loaded>
      {shownStopped.length > 0 && (
        <details
          key={search.q}
          className={styles.stopped}
          open={search.q !== '' && inUse.data?.items.length === 0}
        >
          <summary>
            Telefoni revocati ({shownStopped.length}
            {stopped.hasNextPage && ' e altri'})
          </summary>
          <PagedList pages={stopped}>
            {(phones) => <PhoneTable phones={phones} {...row} />}
          </PagedList>
        </details>
      )}
    </>
  );
}

function NoPhones({ search }: { search: ListSearch }) {
  const mayAdd = useMay('change_devices');
  if (search.q !== '')
    return <NothingFound search={search} title="Nessun telefono con questo nome." />;
  return (
    <Empty icon="phone" title="Nessun telefono alla porta.">
      <p>
        {mayAdd ? 'Aggiungine uno: inquadra il suo codice e' : 'Un telefono abbinato'} legge i
        biglietti anche senza rete.
      </p>
      <Link to="/door/rehearsals">Prova prima con una prova generale</Link>
    </Empty>
  );
}

function PhoneTable({ phones, ...row }: RowProps & { phones: Phone[] }) {
  return (
    <Table
      cards
      className={styles.phones}
      columns={[
        'Telefono',
        { name: 'Eventi', late: true },
        { name: 'Stato e ultimo contatto', rem: 13 },
        { name: 'Da sapere', rem: 13 },
        { hidden: 'Azioni', rem: row.onRenew === null ? 9 : 20 },
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

function PhoneLine({ phone, ...row }: RowProps & { phone: Phone }) {
  const { now, choices, onOpen } = row;
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
        <SecondLine>{phone.gate ?? 'Tutti i varchi'}</SecondLine>
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
      <td className={styles.actions}>
        <Actions phone={phone} {...row} />
      </td>
    </tr>
  );
}

function Actions({ phone, onRenew, onOpen, onUndo }: Acts & { phone: Phone }) {
  const isInUse = phone.state !== 'revoked';
  return (
    <span className={styles.buttons}>
      {phone.paired_at !== null && (
        <Button
          small
          onClick={() => onUndo(phone)}
          aria-label={`Annulla letture di ${phone.name}`}
          label="Annulla letture"
        />
      )}
      {isInUse && onRenew !== null && (
        <AsyncButton
          className={buttonStyles.small}
          onClick={() => onRenew(phone)}
          aria-label={`Nuovo codice per ${phone.name}`}
        >
          Nuovo codice
        </AsyncButton>
      )}
      {isInUse && onOpen !== null && (
        <Button
          small
          look="danger"
          onClick={() => onOpen('revoke', phone)}
          aria-label={`Revoca ${phone.name}`}
          label="Revoca"
        />
      )}
    </span>
  );
}
