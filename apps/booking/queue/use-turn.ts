/**
 * Tells a visitor who looks at another tab that the turn has come: by the tab's title, by a sound
 * if wanted, and by a text for screen readers.
 */
import { useEffect, useRef, useState } from 'react';

/** Puts a word before the tab's title; null removes it. */
export function useTabWord(word: string | null): void {
  useEffect(() => {
    if (word === null) return undefined;
    const { title } = document;
    document.title = `${word} · ${title}`;
    return () => {
      document.title = title;
    };
  }, [word]);
}

/** Screen readers must not interrupt the visitor more often. */
const calmMs = 60_000;

/** The text to read aloud: immediately in a new stage, otherwise once a minute. */
export function useCalmText(text: string, stage: string): string {
  const [said, setSaid] = useState('');
  const last = useRef({ at: 0, stage: '' });
  useEffect(() => {
    const wait = last.current.stage === stage ? last.current.at + calmMs - Date.now() : 0;
    const timer = setTimeout(
      () => {
        last.current = { at: Date.now(), stage };
        setSaid(text);
      },
      Math.max(0, wait),
    );
    return () => clearTimeout(timer);
  }, [text, stage]);
  return said;
}

/**
 * Plays three notes when the turn comes. Browsers allow sound only after a click, so the click
 * that turns it on plays them too.
 */
export function useTurnSound(isTurn: boolean) {
  const [context, setContext] = useState<AudioContext | null>(null);
  useEffect(() => {
    if (isTurn && context !== null) playNotes(context);
  }, [isTurn, context]);
  return {
    isWanted: context !== null,
    want(wanted: boolean) {
      void context?.close();
      if (!wanted) return setContext(null);
      const opened = new AudioContext();
      playNotes(opened);
      setContext(opened);
    },
  };
}

const notesHz = [523, 659, 784];
const noteSeconds = 0.25;

function playNotes(context: AudioContext): void {
  for (const [index, frequency] of notesHz.entries()) {
    const starts = context.currentTime + index * noteSeconds;
    const volume = new GainNode(context, { gain: 0.2 });
    volume.gain.exponentialRampToValueAtTime(0.001, starts + noteSeconds);
    const note = new OscillatorNode(context, { frequency });
    note.connect(volume).connect(context.destination);
    note.start(starts);
    note.stop(starts + noteSeconds);
  }
}
