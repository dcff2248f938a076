/** What the house's words will look like: a mail, a ticket of the roll, and a real PDF page. The server makes all three, of what is not saved yet. */
import { useEffect, useState } from 'react';
import { previewLook, previewPdf } from '#server/contract/look.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { call } from '#apps/shared/api.ts';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/notice.tsx';
import textStyles from '#apps/admin/kit/text.module.css';
import { useAct } from '#apps/admin/shell/session.ts';
import { checkLook, draftOf, type LookValues } from './look-form.ts';
import styles from './look.module.css';

type Shown = ReplyOf<typeof previewLook>;
/** `stale`: of what stood there before a fault was typed. */
export interface Preview {
  shown: Shown | null;
  stale: boolean;
  failure: string | null;
}

const restMs = 400;

/** Asked for once the typing rests; what has faults is not asked for, the last preview stays. */
export function usePreview(values: LookValues): Preview {
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const stale = Object.keys(checkLook(values)).length > 0;
  const draft = JSON.stringify(draftOf(values));
  useEffect(() => {
    if (stale) return;
    let isOver = false;
    const timer = setTimeout(() => {
      const body = JSON.parse(draft) as ReturnType<typeof draftOf>;
      call(previewLook, { body }).then(
        (answer) => {
          if (isOver) return;
          setShown(answer);
          setFailure(null);
        },
        (error: unknown) => {
          if (!isOver) setFailure(tellFailure(error));
        },
      );
    }, restMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [draft, stale]);
  return { shown, stale, failure };
}

function Waiting({ preview: { failure } }: { preview: Preview }) {
  return failure === null ? (
    <p className={textStyles.soft}>Preparo l’anteprima…</p>
  ) : (
    <FailureNotice text={failure} />
  );
}

export function MailPreview({ preview, address }: { preview: Preview; address: string }) {
  const { shown, stale } = preview;
  return (
    <figure className={joinClasses(styles.preview, stale && styles.stale)}>
      <figcaption>Anteprima del messaggio</figcaption>
      {shown === null ? (
        <Waiting preview={preview} />
      ) : (
        <>
          <p className={textStyles.soft}>
            Da: {shown.mail.from_name === null ? address : `${shown.mail.from_name} <${address}>`}
          </p>
          <iframe
            className={styles.mail}
            title="Anteprima del messaggio"
            sandbox=""
            srcDoc={shown.mail.html}
          />
        </>
      )}
    </figure>
  );
}

export function ThermalPreview({ preview, logo }: { preview: Preview; logo: string | null }) {
  const { shown, stale } = preview;
  return (
    <figure className={joinClasses(styles.preview, stale && styles.stale)}>
      <figcaption>Anteprima della stampa della cassa</figcaption>
      {shown === null ? (
        <Waiting preview={preview} />
      ) : (
        <div className={styles.roll}>
          {shown.thermal.map((part, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one paper, drawn anew as a whole
            <Part key={at} part={part} logo={logo} />
          ))}
        </div>
      )}
    </figure>
  );
}

function Part({ part, logo }: { part: Shown['thermal'][number]; logo: string | null }) {
  switch (part.kind) {
    case 'line':
      return (
        <p
          className={joinClasses(
            part.bold && styles.bold,
            part.tall && styles.tall,
            part.wide && styles.wide,
          )}
        >
          {part.text}
        </p>
      );
    case 'code':
      return <QrCode text={part.text} label="Codice di prova" />;
    case 'rule':
      return <hr />;
    case 'gap':
      return <br />;
    case 'logo':
      return logo === null ? null : <img src={`${logo}/320.jpg`} alt="" />;
  }
}

/** To be kept and opened: our own rules for pages would break some browsers' PDF viewers. */
export function PdfPreview({ values }: { values: LookValues }) {
  const act = useAct();
  const [failure, setFailure] = useState<string | null>(null);

  async function make() {
    setFailure(null);
    try {
      keepFile(
        (await act(previewPdf, { body: draftOf(values) })) as Blob,
        'Biglietto di prova.pdf',
      );
    } catch (error) {
      setFailure(tellFailure(error));
    }
  }

  return (
    <>
      <Button icon="print" onClick={make} label="Scarica il PDF di prova" />
      <FailureNotice text={failure} />
    </>
  );
}

function keepFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to keep it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
