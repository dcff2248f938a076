/**
 * On a supervisor's phone: a steward's question, the PIN that opens the key, and the signed
 * answer as a QR code.
 */
import { useEffect, useId, useState } from 'react';
import type { Question, SupervisedAct } from '#server/domain/door/approval.ts';
import { Dialog } from '#apps/shared/ui/dialog.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { Note } from '#apps/scanner/screens/parts.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import { AskedVerdict } from './asked-verdict.tsx';
import { AskPin } from './ask-pin.tsx';
import styles from './give-consent.module.css';

const actWords: Record<SupervisedAct, string> = {
  overrule: 'Far entrare lo stesso',
  by_hand: 'Far entrare senza codice',
  undo: 'Annullare un passaggio',
};

interface GiveConsentProps {
  question: Question;
  /** The question as it was read. */
  text: string;
  onClose: () => void;
}

export function GiveConsent({ question, text, onClose }: GiveConsentProps) {
  const [answer, setAnswer] = useState<string | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [wasOpen] = useState(() => phone.isKeyOpen());
  const sign = () => {
    phone.answer(text).then(setAnswer, () => setFailed(true));
  };
  if (answer !== null) return <Answer text={answer} question={question} onClose={onClose} />;
  const about = (
    <>
      <p className={styles.act}>{actWords[question.act]}</p>
      <AskedVerdict question={question} />
      {hasFailed && (
        <Note tone="bad" role="alert">
          Il telefono non riesce a firmare: chiudi e fai leggere un codice nuovo.
        </Note>
      )}
    </>
  );
  const title = 'Dai il consenso?';
  if (!wasOpen)
    return (
      <AskPin title={title} onClose={onClose} onRight={sign}>
        {about}
      </AskPin>
    );
  return (
    <Modal title={title} role="alertdialog" onClose={onClose}>
      <div className={parts.stack}>
        {about}
        <button type="button" className={parts.big} onClick={sign} data-autofocus>
          Dai il consenso
        </button>
      </div>
    </Modal>
  );
}

/** Shown as long as it is valid; it serves this one question. */
function Answer({ text, question, onClose }: { text: string } & Omit<GiveConsentProps, 'text'>) {
  const { expires_at } = question;
  useEffect(() => {
    const timer = setTimeout(onClose, Math.max(0, expires_at - phone.now()));
    return () => clearTimeout(timer);
  }, [onClose, expires_at]);
  const titleId = useId();
  return (
    <Dialog className={styles.answer ?? ''} labelledBy={titleId} onClose={onClose}>
      <div className={styles.words}>
        <h1 id={titleId}>Consenso dato</h1>
        <p className={styles.act}>Fai leggere questo codice al telefono della maschera</p>
        <p className={parts.soft}>Vale una volta sola, per questo biglietto.</p>
      </div>
      <div className={styles.code}>
        <QrCode text={text} label="Consenso del responsabile" />
      </div>
      <button type="button" className={parts.big} onClick={onClose} data-autofocus>
        Fatto
      </button>
    </Dialog>
  );
}
