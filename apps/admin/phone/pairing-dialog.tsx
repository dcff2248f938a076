/** The dialog with the one-time pairing code of a phone, until it is used or expires. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listPhones, type makePhone } from '#server/contract/door/phones.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { formatCountdown, useNow } from '#apps/admin/kit/clock.ts';
import { CopyField } from '#apps/admin/kit/copy-field.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import liveStyles from '#apps/admin/kit/list/live.module.css';
import styles from './phones.module.css';

type Pairing = ReplyOf<typeof makePhone>;

interface PairingDialogProps {
  pairing: Pairing;
  onClose: () => void;
  onRenew: () => Promise<unknown>;
}

export function PairingDialog({ pairing, onClose, onRenew }: PairingDialogProps) {
  const { phone } = pairing;
  const phones = useEndpoint(listPhones, { query: { q: phone.id } }, { refetchInterval: 2_000 });
  const left = Date.parse(pairing.expires_at) - useNow(1_000);
  const known = phones.data?.items.find((other) => other.id === phone.id);
  const isPaired =
    known !== undefined && known.paired_at !== null && known.paired_at !== phone.paired_at;
  if (isPaired) return <Paired name={phone.name} onClose={onClose} />;
  if (left <= 0) return <Expired name={phone.name} onClose={onClose} onRenew={onRenew} />;
  return (
    <Modal title={`Abbina «${phone.name}»`} onClose={onClose}>
      <div className={textStyles.centred}>
        <p>
          Apri la fotocamera del telefono, inquadra questo codice e tocca il link: si apre la pagina
          della porta, che propone di installarsi. Il codice vale una volta sola.
        </p>
        {!isReachable(pairing.pairing_url) && (
          <Notice tone="warn">
            I telefoni non possono aprire questo indirizzo: avvia con{' '}
            <code>npm start -- --https</code>, oppure imposta <code>PUBLIC_URL</code> con
            l’indirizzo https del botteghino. Senza https la fotocamera non funziona.
          </Notice>
        )}
        <QrCode text={pairing.pairing_url} label={`Codice per abbinare ${phone.name}`} />
        <p className={styles.countdown} role="timer">
          Valido ancora per <b>{formatCountdown(left)}</b>
        </p>
        <CopyField text={pairing.pairing_url} label="Link di abbinamento" />
        <output className={liveStyles.live} aria-label="Stato">
          <span className="ui-spinner-ring" aria-hidden="true" /> Aspetto il telefono…
        </output>
      </div>
    </Modal>
  );
}

function Paired({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <Modal
      title="Abbinato!"
      onClose={onClose}
      actions={<Button look="primary" onClick={onClose} label="Chiudi" />}
    >
      <Notice as="output" tone="good" aria-label="Stato">
        «{name}» è pronto a scaricare i biglietti. Prima di aprire le porte controlla sul telefono
        «Pronto per la porta».
      </Notice>
    </Modal>
  );
}

interface ExpiredProps extends Omit<PairingDialogProps, 'pairing'> {
  name: string;
}

function Expired({ name, onClose, onRenew }: ExpiredProps) {
  return (
    <Modal
      title="Codice scaduto"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} label="Chiudi" />
          <AsyncButton variant="primary" onClick={onRenew}>
            Nuovo codice
          </AsyncButton>
        </>
      }
    >
      <output aria-label="Stato">
        Il codice di «{name}» non è stato usato in tempo. Creane un altro quando hai il telefono in
        mano.
      </output>
    </Modal>
  );
}

/** A phone cannot open `localhost`, and its camera works only over https. */
function isReachable(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && !/^(localhost|127\.|\[::1\])/.test(hostname);
}
