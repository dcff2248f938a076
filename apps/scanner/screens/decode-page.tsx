/**
 * "Prova di lettura", a page of the office: choose or paste a photo or a screenshot of a ticket
 * to see what the scanner reads in it.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { StrictMode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import './base.css';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { foreignTextOf, foreignWords } from '#server/domain/door/foreign-text.ts';
import { groupCode, readTicketCode } from '#server/domain/door/ticket-code.ts';
import { blindWords } from '#apps/scanner/camera/camera.ts';
import { decodeImage, DecoderError, warmUpDecoder } from '#apps/scanner/camera/decode.ts';
import { Note, type NoteProps } from './parts.tsx';
import parts from './parts.module.css';
import styles from './decode-page.module.css';

declare global {
  /**
   * For tests in the browser's console: takes a file, a canvas or a bitmap, gives text or null.
   */
  interface Window {
    decodeImage: typeof decodeImage;
  }
}
window.decodeImage = decodeImage;
warmUpDecoder();

interface Reading {
  name: string;
  address: string;
  /** Null when the picture has no code. */ text: string | null;
  fault: 'no_picture' | 'no_engine' | null;
  ms: number;
}

async function readFile(file: File): Promise<Reading> {
  const began = performance.now();
  const read = await decodeImage(file).then(
    (text) => ({ text, fault: null }),
    (error: unknown) => ({
      text: null,
      fault: error instanceof DecoderError ? ('no_engine' as const) : ('no_picture' as const),
    }),
  );
  const ms = performance.now() - began;
  return { name: file.name, address: URL.createObjectURL(file), ...read, ms };
}

/** What was read in the last chosen or pasted picture. */
function useReading() {
  const [reading, setReading] = useState<Reading | null>(null);
  const latest = useRef(0);
  const look = async (file: File) => {
    latest.current += 1;
    const turn = latest.current;
    const found = await readFile(file);
    if (turn === latest.current) setReading(found);
    else URL.revokeObjectURL(found.address);
  };
  const lookAtPasted = useEffectEvent(look);
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const file = [...(clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (file) void lookAtPasted(file);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
  // Frees the memory of a picture that is no longer shown.
  useEffect(
    () => () => {
      if (reading) URL.revokeObjectURL(reading.address);
    },
    [reading],
  );
  return { reading, look };
}

function DecodePage() {
  const { reading, look } = useReading();
  return (
    <main className={parts.page}>
      <header className={parts.pageHead}>
        <Icon name="camera" size={32} />
        <h1>Prova di lettura</h1>
      </header>
      <p className={parts.soft}>
        Il lettore riesce a leggere questo biglietto? Scegli una foto o una schermata, oppure
        incollala qui. L’immagine non lascia questo dispositivo.
      </p>
      <label className={parts.big}>
        <Icon name="upload" size={28} />
        Scegli un’immagine
        <input
          type="file"
          accept="image/*"
          className="visually-hidden"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file) void look(file);
            // Cleared, so that choosing the same file again, edited meanwhile, is a change.
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
      className={`${parts.card} ${parts.stack}`}
      data-reading={fault ?? (text === null ? 'none' : 'text')}
    >
      <Note {...resultOf(reading)} />
      {text !== null && <p className={styles.text}>{code ? groupCode(code.code) : text}</p>}
      {fault !== 'no_picture' && <img className={styles.picture} src={address} alt="" />}
      <p className={parts.soft}>
        {name === '' ? 'Immagine incollata' : name} · {Math.round(ms)} ms
      </p>
    </section>
  );
}

const noPicture = 'Questo file non è un’immagine che si possa aprire.';

function resultOf({ text, fault }: Reading): NoteProps {
  const noEngine = `${blindWords.title}: ricarica la pagina.`;
  if (fault !== null)
    return { tone: 'bad', children: fault === 'no_picture' ? noPicture : noEngine };
  if (text === null) return { tone: 'warn', children: 'Nessun codice QR leggibile.' };
  const isTicket = readTicketCode(text) !== null;
  return {
    tone: 'good',
    icon: 'check',
    children: isTicket
      ? 'Codice di un biglietto, leggibile.'
      : `Codice QR leggibile. ${foreignWords[foreignTextOf(text)]}.`,
  };
}

createRoot(requireValue(document.getElementById('root'), 'root of the page')).render(
  <StrictMode>
    <DecodePage />
  </StrictMode>,
);
