/** "Prova di lettura", a page of the office: choose or paste a photo or a screenshot of a ticket and see what the scanner reads in it. */
import { StrictMode, useCallback, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import '#apps/scanner/screens/base.css';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { groupCode, readTicketCode } from '#server/domain/ticket-code.ts';
import { blindWords } from './camera.ts';
import { decodeImage, DecoderError, warmUpDecoder } from './decode.ts';
import button from '#apps/scanner/screens/button.module.css';
import layout from '#apps/scanner/screens/layout.module.css';
import note from '#apps/scanner/screens/note.module.css';
import styles from './decode-page.module.css';

declare global {
  /** For tests from the browser's console: a file, a canvas or a bitmap in; the text, or null, out. */
  interface Window {
    decodeImage: typeof decodeImage;
  }
}
window.decodeImage = decodeImage;
warmUpDecoder();

interface Reading {
  name: string;
  address: string;
  /** Null: there is none in it. */ text: string | null;
  fault: 'no_picture' | 'no_engine' | null;
  ms: number;
}

function DecodePage() {
  const [reading, setReading] = useState<Reading | null>(null);
  const latest = useRef(0);
  const look = useCallback(async (file: File) => {
    latest.current += 1;
    const turn = latest.current;
    const began = performance.now();
    const read = await decodeImage(file).then(
      (text) => ({ text, fault: null }),
      (error: unknown) => ({
        text: null,
        fault: error instanceof DecoderError ? ('no_engine' as const) : ('no_picture' as const),
      }),
    );
    if (turn === latest.current)
      setReading({
        name: file.name,
        address: URL.createObjectURL(file),
        ...read,
        ms: performance.now() - began,
      });
  }, []);
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const file = [...(clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (file) void look(file);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [look]);
  // A picture that is no longer shown frees its memory.
  useEffect(
    () => () => {
      if (reading) URL.revokeObjectURL(reading.address);
    },
    [reading],
  );

  return (
    <main className={layout.page}>
      <header className={layout.pageHead}>
        <Icon name="camera" size={32} />
        <h1>Prova di lettura</h1>
      </header>
      <p className={layout.soft}>
        Il lettore riesce a leggere questo biglietto? Scegli una foto o una schermata, oppure
        incollala qui. L’immagine non lascia questo dispositivo.
      </p>
      <label className={`${button.big} ${styles.choice}`}>
        <Icon name="upload" size={28} />
        Scegli un’immagine
        <input
          type="file"
          accept="image/*"
          className="visually-hidden"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file) void look(file);
            // The same file once more, edited meanwhile, is a new choice.
            currentTarget.value = '';
          }}
        />
      </label>
      <div aria-live="polite">{reading && <ReadingCard reading={reading} />}</div>
    </main>
  );
}

function ReadingCard({ reading }: { reading: Reading }) {
  const { name, address, text, fault, ms } = reading;
  const code = text ? readTicketCode(text) : null;
  return (
    <section
      className={`${layout.card} ${layout.stack}`}
      data-reading={fault ?? (text === null ? 'none' : 'text')}
    >
      <Result {...resultOf(reading)} />
      {text !== null && <p className={styles.text}>{code ? groupCode(code.code) : text}</p>}
      {fault !== 'no_picture' && <img className={styles.picture} src={address} alt="" />}
      <p className={layout.soft}>
        {name === '' ? 'Immagine incollata' : name} · {Math.round(ms)} ms
      </p>
    </section>
  );
}

interface ResultProps {
  look: string | undefined;
  icon: IconName;
  words: string;
}

function Result({ look, icon, words }: ResultProps) {
  return (
    <p className={look}>
      <Icon name={icon} />
      <span>{words}</span>
    </p>
  );
}

const noPicture = 'Questo file non è un’immagine che si possa aprire.';
const notOurs = 'Codice QR leggibile, ma non è un biglietto di questa biglietteria.';

function resultOf({ text, fault }: Reading): ResultProps {
  const noEngine = `${blindWords.title}: ricarica la pagina.`;
  if (fault !== null)
    return {
      look: note.bad,
      icon: 'warning',
      words: fault === 'no_picture' ? noPicture : noEngine,
    };
  if (text === null)
    return { look: note.warn, icon: 'warning', words: 'Nessun codice QR leggibile.' };
  const isTicket = readTicketCode(text) !== null;
  return {
    look: note.good,
    icon: 'check',
    words: isTicket ? 'Codice di un biglietto, leggibile.' : notOurs,
  };
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DecodePage />
  </StrictMode>,
);
