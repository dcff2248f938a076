/** Webhook addresses: states and actions. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import {
  deleteProgramAddress,
  listProgramAddresses,
  pingProgramAddress,
  rotateProgramSecret,
  switchProgramAddress,
} from '#server/contract/program/webhooks.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { AddressDialog, SecretShown, type KnownAddress } from './address-dialog.tsx';
import { kindWords, offWords } from './words.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './programs.module.css';

type Address = ReplyOf<typeof listProgramAddresses>['items'][number];

export function Addresses() {
  const addresses = useEndpoint(listProgramAddresses, {}, { refetchInterval: 10_000 });
  const [open, setOpen] = useState<KnownAddress | 'new' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Panel aria-labelledby="addresses-title">
      <div className={panelStyles.title}>
        <h2 id="addresses-title">Indirizzi da avvisare (webhook)</h2>
        <Button icon="plus" label="Nuovo indirizzo" onClick={() => setOpen('new')} />
      </div>
      <Loaded query={addresses}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={textStyles.soft}>
              Nessuno: quello che succede qui non viene detto a nessun altro programma.
            </p>
          ) : (
            <ul className={styles.addresses}>
              {items.map((address) => (
                <AddressLine
                  key={address.id}
                  address={address}
                  onChange={() => setOpen(address)}
                  onSecret={setSecret}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open !== null && (
        <AddressDialog address={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
      {secret !== null && <SecretShown secret={secret} onClose={() => setSecret(null)} />}
    </Panel>
  );
}

interface AddressLineProps {
  address: Address;
  onChange: () => void;
  onSecret: (secret: string) => void;
}

function AddressLine({ address, onChange, onSecret }: AddressLineProps) {
  const { id, url, kinds, event, earlier_until, rest_until } = address;
  return (
    <li>
      <div className={styles.address}>
        <p className={`${textStyles.code} ${styles.url}`}>{url}</p>
        <p>
          {kinds.map((kind) => kindWords[kind]).join(', ')}
          {event !== null && ` · solo ${event.title ?? event.id}`}
        </p>
        <p className={styles.state}>
          <AddressState address={address} />
          <Link to={`/settings/programs/deliveries?address_id=${id}`}>Consegne</Link>
        </p>
        {earlier_until !== null && (
          <p className={textStyles.soft}>
            Anche il segreto di prima firma, fino a {formatListDate(earlier_until)}.
          </p>
        )}
        {rest_until !== null && (
          <p className={textStyles.soft}>
            Ha chiesto di aspettare: riproviamo {formatListDate(rest_until)}.
          </p>
        )}
      </div>
      <AddressActions address={address} onChange={onChange} onSecret={onSecret} />
    </li>
  );
}

function AddressState({ address }: { address: Address }) {
  const { off_why, waiting, given_up, last_done_at } = address;
  return (
    <>
      {off_why === null ? (
        <Badge tone="good" icon="check">
          Attivo
        </Badge>
      ) : (
        <Badge tone="warn" icon="warning">
          {offWords[off_why]}
        </Badge>
      )}
      {waiting > 0 && (
        <Badge tone="warn" icon="clock">
          {formatCount(waiting, 'in attesa', 'in attesa')}
        </Badge>
      )}
      {given_up > 0 && (
        <Badge tone="bad" icon="warning">
          {formatCount(given_up, 'non consegnata', 'non consegnate')}
        </Badge>
      )}
      <span className={textStyles.soft}>
        Ultima consegna: {last_done_at === null ? 'nessuna' : formatListDate(last_done_at)}
      </span>
    </>
  );
}

function AddressActions({ address, onChange, onSecret }: AddressLineProps) {
  const change = useChange();
  const { id, url, off_at } = address;
  const params = { addressId: id };
  const isOff = off_at !== null;
  const about = <span className="visually-hidden"> {url}</span>;
  return (
    <div className={buttonStyles.actions}>
      <AsyncButton
        className={buttonStyles.small}
        disabled={isOff}
        onClick={() => change(pingProgramAddress, { params })}
      >
        Prova{about}
      </AsyncButton>
      <Button small onClick={onChange} label={<>Modifica…{about}</>} />
      <AsyncButton
        className={buttonStyles.small}
        onClick={() => change(switchProgramAddress, { params, body: { on: isOff } })}
      >
        {isOff ? 'Riaccendi' : 'Spegni'}
        {about}
      </AsyncButton>
      <AskButton
        label={<>Nuovo segreto…{about}</>}
        title="Rinnovare il segreto?"
        text={<p>Per 24 ore firmano tutti e due, poi solo quello nuovo.</p>}
        confirmLabel="Rinnova il segreto"
        onConfirm={async () => onSecret((await change(rotateProgramSecret, { params })).secret)}
      />
      <AskButton
        label={<>Togli…{about}</>}
        title="Togliere l’indirizzo?"
        danger
        text={<p>Non riceve più niente, e le sue consegne spariscono dall’elenco.</p>}
        confirmLabel="Togli l’indirizzo"
        onConfirm={() => change(deleteProgramAddress, { params })}
      />
    </div>
  );
}
