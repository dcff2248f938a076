/**
 * The practice codes of a rehearsal as cards, with expected answers and the phones that read
 * them.
 */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readRehearsal } from '#server/contract/door/rehearsals.ts';
import type { RehearsalPhase } from '#server/domain/door/rehearsal.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { VerdictMark } from '#apps/admin/kit/verdict-mark.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './rehearsal.module.css';

type Card = ReplyOf<typeof readRehearsal>['cards'][number];

export function RehearsalCards({ cards, phase }: { cards: Card[]; phase: RehearsalPhase }) {
  const [shown, setShown] = useState<string | null>(null);
  const seen = cards.filter(({ seen_by }) => seen_by.length > 0).length;
  const card = cards.find(({ key }) => key === shown);
  return (
    <section aria-labelledby="cards-title">
      <div className={panelStyles.title}>
        <h2 id="cards-title">Codici</h2>
        <p className={textStyles.soft}>
          {seen} di {cards.length} già provati
        </p>
      </div>
      {phase !== 'open' && (
        <Notice tone="warn" icon="clock">
          Le porte della prova non sono aperte: adesso anche gli ENTRA dicono{' '}
          {phase === 'before' ? 'NON ANCORA' : 'INGRESSO CHIUSO'}.
        </Notice>
      )}
      <ul className={styles.cards}>
        {cards.map((one) => (
          <li
            key={one.key}
            className={one.seen_by.length > 0 ? `${styles.card} ${styles.seen}` : styles.card}
          >
            <button
              type="button"
              className={styles.cardCode}
              onClick={() => setShown(one.key)}
              aria-label={`Ingrandisci il codice: ${wordsOf(one)}`}
            >
              <QrCode text={one.code} label={wordsOf(one)} />
            </button>
            <div className={styles.cardWords}>
              <h3>
                <VerdictMark verdict={one.verdict} />
              </h3>
              <p>{one.hint}</p>
              <p className={`${textStyles.soft} ${styles.place}`}>{placeOf(one)}</p>
              {one.seen_by.length > 0 && (
                <p className={styles.seenBy}>
                  <Icon name="check" size={16} /> {one.seen_by.join(', ')}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {card !== undefined && (
        <Modal title={verdictWords[card.verdict].big} onClose={() => setShown(null)}>
          <div className={textStyles.centred}>
            <p>{card.hint}</p>
            <QrCode text={card.code} label={wordsOf(card)} />
            <p className={textStyles.code}>{card.code_for_people}</p>
            <p className={textStyles.soft}>{placeOf(card)}</p>
          </div>
        </Modal>
      )}
    </section>
  );
}

function wordsOf(card: Card): string {
  return [verdictWords[card.verdict].big, card.seat].filter((part) => part !== null).join(', ');
}

function placeOf(card: Card): string {
  return joinParts(card.seat, card.gate, card.holder);
}
