/** The user's own second factors: authenticator app, passkeys, recovery codes. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import {
  addPasskey,
  beginPasskey,
  readFactors,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
} from '#server/contract/account.ts';
import { deviceName } from '#server/domain/user/user.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { knowsPasskeys, makePasskey } from '#apps/admin/kit/session/passkey.ts';
import { PasskeyName } from './passkey-name.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TotpDialog } from './totp-dialog.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './people.module.css';

type Factors = ReplyOf<typeof readFactors>;
type OnCodes = (codes: readonly string[] | null) => void;

export function FactorsPart() {
  const factors = useEndpoint(readFactors, {});
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Loaded query={factors}>
      {(data) => (
        <>
          <FactorList factors={data} />
          <AddFactor factors={data} onCodes={setCodes} />
          {(data.totp || data.passkeys.length > 0) && (
            <Recovery left={data.recovery_left} onCodes={setCodes} />
          )}
          {codes !== null && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
        </>
      )}
    </Loaded>
  );
}

function FactorList({ factors }: { factors: Factors }) {
  const change = useChange();
  if (!factors.totp && factors.passkeys.length === 0)
    return (
      <p className={textStyles.soft}>
        Nessuno: chi indovina la password entra. Aggiungi l’app dei codici o una passkey.
      </p>
    );
  return (
    <ul className={styles.list}>
      {factors.totp && (
        <li>
          App dei codici
          <AskButton
            label="Togli…"
            title="Togliere l’app dei codici?"
            danger
            text={<p>I suoi codici non servono più per entrare.</p>}
            confirmLabel="Togli l’app"
            onConfirm={() => change(removeTotp, {})}
          />
        </li>
      )}
      {factors.passkeys.map((passkey) => (
        <PasskeyLine key={passkey.id} passkey={passkey} />
      ))}
    </ul>
  );
}

function PasskeyLine({ passkey }: { passkey: Factors['passkeys'][number] }) {
  const change = useChange();
  const [isNaming, setIsNaming] = useState(false);
  const { id, name, last_used_at } = passkey;
  const params = { passkeyId: id };
  return (
    <li>
      <span>
        Passkey: {name}
        <SecondLine>
          {last_used_at === null ? 'mai usata' : `usata ${formatListDate(last_used_at)}`}
        </SecondLine>
      </span>
      <span className={buttonStyles.actions}>
        <Button small onClick={() => setIsNaming(true)} label="Rinomina…" />
        <AskButton
          label="Togli…"
          title={`Togliere la passkey «${name}»?`}
          danger
          text={<p>Con questa passkey non si entra più.</p>}
          confirmLabel="Togli la passkey"
          onConfirm={() => change(removePasskey, { params })}
        />
      </span>
      {isNaming && (
        <PasskeyName
          name={name}
          onCancel={() => setIsNaming(false)}
          onName={async (newName) => {
            await change(renamePasskey, { params, body: { name: newName } });
            setIsNaming(false);
          }}
        />
      )}
    </li>
  );
}

function AddFactor({ factors, onCodes }: { factors: Factors; onCodes: OnCodes }) {
  const change = useChange();
  const [adding, setAdding] = useState(false);

  async function add() {
    const { options } = await change(beginPasskey, {});
    const response = await makePasskey(options);
    const body = { name: deviceName(navigator.userAgent), response };
    onCodes((await change(addPasskey, { body })).recovery_codes);
  }

  return (
    <div className={buttonStyles.actions}>
      {!factors.totp && (
        <Button small onClick={() => setAdding(true)} label="Aggiungi l’app dei codici…" />
      )}
      {factors.passkeys_possible && knowsPasskeys() && (
        <AsyncButton className={buttonStyles.small} onClick={add}>
          Aggiungi una passkey
        </AsyncButton>
      )}
      {adding && (
        <TotpDialog
          onClose={() => setAdding(false)}
          onDone={(codes) => {
            setAdding(false);
            onCodes(codes);
          }}
        />
      )}
    </div>
  );
}

function Recovery({ left, onCodes }: { left: number; onCodes: OnCodes }) {
  const change = useChange();
  return (
    <div className={styles.recovery}>
      <p>
        Ti restano {formatCount(left, 'codice di riserva', 'codici di riserva')}, per quando non hai
        il telefono.
      </p>
      <AskButton
        label="Nuovi codici…"
        title="Dieci nuovi codici di riserva?"
        text={<p>Quelli di prima non valgono più.</p>}
        confirmLabel="Crea i codici"
        onConfirm={async () => onCodes((await change(renewRecoveryCodes, {})).recovery_codes)}
      />
    </div>
  );
}
