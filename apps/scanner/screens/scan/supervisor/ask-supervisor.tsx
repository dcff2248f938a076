/**
 * On a steward's phone: the question to a supervisor as a QR code, above the camera that reads
 * the answer.
 */
import { useEffect, useId, useRef } from 'react';
import { writeQuestion } from '#server/domain/door/approval.ts';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { Note, RoundButton } from '#apps/scanner/screens/parts.tsx';
import { useMemory } from '#apps/scanner/screens/status.ts';
import { useServerNow } from '#apps/scanner/screens/use-now.ts';
import type { ScanDialog, Scans } from '#apps/scanner/screens/scan/scans.ts';
import { AskedVerdict } from './asked-verdict.tsx';
import styles from './ask-supervisor.module.css';

type Asked = Extract<ScanDialog, { about: 'ask' }>;

/** The hint over the camera's picture while the steward waits for an answer. */
export const answerAim = 'Poi inquadra il suo';

export function AskSupervisor({ asked, scans }: { asked: Asked; scans: Scans }) {
  const { question, deed, trouble } = asked;
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const now = useServerNow();
  useEffect(() => title.current?.focus(), []);
  const cancel = () => scans.showDialog(null);
  return (
    <section className={styles.ask} role="alertdialog" aria-labelledby={titleId}>
      <div className={styles.head}>
        <h1 id={titleId} ref={title} tabIndex={-1}>
          Serve il responsabile
        </h1>
        <RoundButton icon="cross" label="Annulla la richiesta" onClick={cancel} />
      </div>
      <AskedVerdict question={question} inLine />
      <Body
        isLate={now > question.expires_at}
        event_id={question.event_id}
        text={writeQuestion(question)}
        onAgain={() => scans.ask(deed)}
      />
      {(trouble === 'unknown' || trouble === 'late') && (
        <Note tone="warn" role="alert">
          {trouble === 'late'
            ? 'La risposta è arrivata tardi: fai leggere un codice nuovo.'
            : 'Questa risposta non vale: fai rileggere il codice qui sopra a un responsabile di questo evento.'}
        </Note>
      )}
    </section>
  );
}

interface BodyProps {
  isLate: boolean;
  event_id: string;
  text: string;
  onAgain: () => void;
}

function Body({ isLate, event_id, text, onAgain }: BodyProps) {
  const known = useMemory(phone.version) >= 0 && phone.supervisorsOf(event_id).length > 0;
  if (!known)
    return (
      <Note tone="warn" role="alert">
        Questo telefono non conosce nessun telefono di responsabile per questo evento. Chiama
        l’ufficio: può far entrare dalla pagina Ingressi. Se un responsabile è stato abbinato da
        poco, serve un momento di rete.
      </Note>
    );
  if (isLate)
    return (
      <Note
        tone="info"
        icon="clock"
        action={
          <button type="button" className="ui-button ui-button-primary" onClick={onAgain}>
            Nuovo codice
          </button>
        }
      >
        Il codice è scaduto.
      </Note>
    );
  return (
    <>
      <p className={styles.what}>Fai leggere questo codice al responsabile</p>
      <div className={styles.code}>
        <QrCode text={text} label="Richiesta per il responsabile" />
      </div>
    </>
  );
}
