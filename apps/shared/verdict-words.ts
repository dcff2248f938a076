/** The door's words for each verdict, for phones and office: word, tone, icon. */
import type { Verdict } from '#server/domain/door/admission.ts';
import { verdictNames } from '#server/domain/door/verdict-names.ts';

export type VerdictTone = 'good' | 'warn' | 'bad' | 'info';

/** `icon` is the path of a stroked icon on 24 × 24, different for each verdict. */
interface VerdictWords {
  big: string;
  tone: VerdictTone;
  icon: string;
}

export const verdictWords: Record<Verdict, VerdictWords> = {
  admit: { big: verdictNames.admit, tone: 'good', icon: 'M5 12.5l4.5 4.5L19 7.5' },
  already_in: {
    big: verdictNames.already_in,
    tone: 'bad',
    icon: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM8 12h8',
  },
  just_read: {
    big: verdictNames.just_read,
    tone: 'info',
    icon: 'M2.5 13l3.5 3.5 7.5-8.5M11.5 15.5l1 1L21.5 8',
  },
  wrong_gate: {
    big: verdictNames.wrong_gate,
    tone: 'warn',
    icon: 'M3.5 12h12M10.5 6.5L16 12l-5.5 5.5M20 4v16',
  },
  wrong_event: {
    big: verdictNames.wrong_event,
    tone: 'bad',
    icon: 'M4 6h16v14H4zM4 10.5h16M8.5 3v4M15.5 3v4M9.8 13.2l4.4 4.4M14.2 13.2l-4.4 4.4',
  },
  not_yet: {
    big: verdictNames.not_yet,
    tone: 'warn',
    icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v5.5l3.5 2',
  },
  too_late: {
    big: verdictNames.too_late,
    tone: 'warn',
    icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v5.5l-3.5 2M5 19L19 5',
  },
  cancelled: {
    big: verdictNames.cancelled,
    tone: 'bad',
    icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M5.7 5.7l12.6 12.6',
  },
  refunded: {
    big: verdictNames.refunded,
    tone: 'bad',
    icon: 'M9 14L4 9l5-5M4 9h10a5.5 5.5 0 0 1 0 11h-3',
  },
  replaced: {
    big: verdictNames.replaced,
    tone: 'bad',
    icon: 'M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4',
  },
  moved: {
    big: verdictNames.moved,
    tone: 'warn',
    icon: 'M4 12h14M13 6l6 6-6 6',
  },
  unpaid: {
    big: verdictNames.unpaid,
    tone: 'warn',
    icon: 'M18 6.5A7.5 7.5 0 1 0 18 17.5M4 10.5h9.5M4 13.5h8',
  },
  trial: {
    big: verdictNames.trial,
    tone: 'warn',
    icon: 'M9 3h6M10 3v6L4.8 18.4A1.8 1.8 0 0 0 6.4 21h11.2a1.8 1.8 0 0 0 1.6-2.6L14 9V3M7.5 15h9',
  },
  verify: {
    big: verdictNames.verify,
    tone: 'warn',
    icon: 'M8.3 8.6a3.8 3.8 0 1 1 5.6 3.6c-1.3.7-1.9 1.4-1.9 2.8M12 19v.01',
  },
  invalid: { big: verdictNames.invalid, tone: 'bad', icon: 'M6 6l12 12M18 6L6 18' },
  out: { big: verdictNames.out, tone: 'info', icon: 'M10 4H5v16h5M9.5 12H20M16 8l4 4-4 4' },
  undone: {
    big: verdictNames.undone,
    tone: 'info',
    icon: 'M8 5L3.5 9.5L8 14M3.5 9.5H15a5 5 0 0 1 0 10h-4',
  },
};

/**
 * For GIÀ ENTRATO after an exit: without re-entry an exit uses up the ticket. `when` as in "alle
 * 21:10".
 */
export function leftWords(when: string): string {
  return `È uscito ${when}: non può rientrare`;
}
