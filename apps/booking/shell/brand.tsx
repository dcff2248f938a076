/** The site's name and logo, with a link to the home page from other pages. */
import { Link } from 'react-router-dom';
import styles from './brand.module.css';
import { useSite, type Site } from './site.ts';

/** `onPicture` adds a dark background, so that the name is readable over any picture. */
export function Brand({ isHome, onPicture }: { isHome: boolean; onPicture: boolean }) {
  const site = useSite();
  const look = onPicture ? `${styles.brand} ${styles.onPicture}` : styles.brand;
  const name = (
    <>
      <Logo of={site.logo} /> <span>{site.name}</span>
    </>
  );
  if (isHome) return <p className={look}>{name}</p>;
  return (
    <Link to="/" className={look}>
      {name}
      <span className="visually-hidden">: tutti gli spettacoli</span>
    </Link>
  );
}

const ours = { url: '', width: 40, height: 40 };

/** Width and height reserve the place before the picture loads. */
function Logo({ of: logo }: { of: Site['logo'] }) {
  const { url, width, height } = logo ?? ours;
  const src = url ? `${url}/320.webp` : '/images/logo.svg';
  return <img className={styles.logo} src={src} alt="" width={width} height={height} />;
}
