/** A block's or contingent's name in its colour; a press marks its seats on the map. */
import type { BlockColor } from '#server/domain/seat/block.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { colorWords } from '#apps/admin/seats/kept/block-words.ts';
import { Swatch } from '#apps/admin/seats/kept/swatch.tsx';
import styles from '#apps/admin/seats/kept/blocks.module.css';

interface ShowOnMapProps {
  name: string;
  color: BlockColor;
  onShow: () => void;
}

export function ShowOnMap({ name, color, onShow }: ShowOnMapProps) {
  return (
    <button
      type="button"
      className={`${textStyles.link} ${styles.reason}`}
      title="Mostra sulla pianta"
      onClick={onShow}
    >
      <Swatch color={color} />
      {name}
      <span className="visually-hidden"> ({colorWords[color].toLowerCase()})</span>
    </button>
  );
}
