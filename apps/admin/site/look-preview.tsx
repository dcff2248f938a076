/** Previews of unsaved values, made by the server: a mail, a ticket, a PDF page. */
import { useEffect, useState } from 'react';
import { previewLook, previewPdf } from '#server/contract/look.ts';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import { call } from '#apps/shared/api.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { LetterFrame } from '#apps/admin/mail/letter-frame.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { checkLook, draftOf, type LookValues } from './look-form.ts';
import styles from './look.module.css';

type Shown = ReplyOf<typeof previewLook>;
/** `stale`: the preview is older than a fault. */
export interface Preview {
  shown: Shown | null;
  stale: boolean;
  failure: string | null;
}

const restMs = 400;

/** Fetched after a pause in typing; while there are faults the last preview stays. */
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
          <LetterFrame
            className={styles.mail}
            title="Anteprima del messaggio"
            html={shown.mail.html}
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
            // oxlint-disable-next-line react/no-array-index-key -- the parts are drawn as a whole
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

const pdfRestMs = 800;

/** The real page in the browser's PDF viewer; a browser without one gets a download. */
export function PdfPreview({ values, stale }: { values: LookValues; stale: boolean }) {
  const { logo, pdf_logo, ticket_rules, ticket_foot } = draftOf(values);
  const wanted = addressOf(
    previewPdf,
    {},
    {
      logo: logo ?? undefined,
      pdf_logo: String(pdf_logo),
      ticket_rules: ticket_rules ?? undefined,
      ticket_foot: ticket_foot ?? undefined,
    },
  );
  const [address, setAddress] = useState(wanted);
  useEffect(() => {
    if (stale) return undefined;
    const timer = setTimeout(() => setAddress(wanted), pdfRestMs);
    return () => clearTimeout(timer);
  }, [wanted, stale]);
  return (
    <figure className={joinClasses(styles.preview, styles.paper, stale && styles.stale)}>
      <figcaption>Anteprima del PDF</figcaption>
      {navigator.pdfViewerEnabled ? (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- a sandbox blocks the PDF viewer
        <iframe
          key={address}
          title="Anteprima del PDF"
          src={`${address}#toolbar=0&navpanes=0&view=FitH`}
          loading="lazy"
        />
      ) : (
        <p className={textStyles.soft}>Questo browser non mostra i PDF nella pagina: scaricalo.</p>
      )}
      <p>
        <a className="ui-button" href={address} download="Biglietto di prova.pdf">
          <Icon name="print" />
          Scarica il PDF di prova
        </a>
      </p>
    </figure>
  );
}
