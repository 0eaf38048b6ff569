import './reader-drawing.css'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** In a field of 120 by 104, one element per line. `Reader` is for all other models. */
const drawings: Record<string, ReactNode> = {
  CR1100: (
    <>
      <path
        className="body"
        d="M18 27 L27 17 Q29 15 32 15 L74 15 Q88 15 92 27 L94 35 Q95 41 88 41 L70 42 L80 76 Q82 83 75 83 L66 83 Q61 83 59.5 78 L49 43 L27 43 Q21 43 20 37 Z"
      />
      <path className="line" d="M18 27 L20 37 Q21 43 27 43" />
      <path className="detail" d="M24 20.5 L27 43 M70 42 L49 43 M33 21 H76" />
      <path className="line" d="M48.5 45 Q42 51 47 60 L53.5 57" />
      <path className="detail" d="M64 50 L72 77 M60 51 L68 78" />
      <path className="line" d="M70 83 Q71 92 82 91 Q92 90 104 91" />
      <path className="beam" d="M15 29 L3 22 M15.5 32 L2 32 M16 35 L3 42" />
    </>
  ),
  CR2700: (
    <>
      <path
        className="body"
        d="M20 24 L30 13 Q32 11 35 11 L76 11 Q89 11 92 21 L94 28 Q95 34 88 34 L72 35 L79 58 L51 58 L45.5 37 L29 37 Q23 37 22 31 Z"
      />
      <path className="detail" d="M27 16 L30 37 M36 17 H78" />
      <path className="line" d="M45 39 Q39 45 44 52 L50 50" />
      <path className="body" d="M42 62 L86 62 Q91 62 93 67 L98 80 Q99 84 95 84 L33 84 Q29 84 30 80 L35 67 Q37 62 42 62 Z" />
      <path className="detail" d="M31 78 H97 M47 58 V62 M81 58 V62" />
      <circle className="light" cx="88" cy="70" r="1.8" />
      <path className="beam" d="M17 26 L5 19 M17.5 29 L4 29 M18 32 L5 38" />
    </>
  ),
  'A271/2': (
    <>
      <path className="body" d="M38 30 L82 30 Q88 30 90 36 L100 70 Q102 78 94 78 L26 78 Q18 78 20 70 L30 36 Q32 30 38 30 Z" />
      <path className="line" d="M42 30 Q42 20 48 20 L72 20 Q78 20 78 30 L76 50 Q75 56 69 56 L51 56 Q45 56 44 50 Z" />
      <path className="detail" d="M47 30 L49 50 M73 30 L71 50 M55 52 V56 M60 52 V56 M65 52 V56 M21 71 H99" />
      <path className="line" d="M60 78 V84 Q60 90 70 90 H106" />
      <circle className="light" cx="86" cy="64" r="1.8" />
      <path className="beam" d="M52 12 Q60 5 68 12 M46 7 Q60 -5 74 7" />
    </>
  ),
  CR1500: (
    <>
      <path className="body" d="M16 33 L28 24 Q31 22 35 22 L84 20 Q97 20 99 29 Q100 37 92 39 L60 42 L29 45 Q22 46 20 41 Z" />
      <path className="detail" d="M23 28 L27 45 M37 28 L85 26" />
      <rect className="line" x="55" y="23.5" width="14" height="4" rx="2" />
      <path className="body" d="M60 42 L92 39 L97 70 Q98 76 92 76 L82 77 Q76 77 74.5 72 Z" />
      <path className="detail" d="M72 49 L88 47 M74 56 L90 54" />
      <path className="line" d="M87 77 Q88 88 100 87 L112 87" />
      <path className="beam" d="M13 35 L2 29 M13.5 38 H1 M14 41 L3 47" />
    </>
  ),
  CR5200: (
    <>
      <path className="body" d="M30 30 Q30 26 34 26 L86 26 Q90 26 90 30 L90 70 Q90 74 86 74 L34 74 Q30 74 30 70 Z" />
      <rect className="line" x="38" y="34" width="34" height="32" rx="2" />
      <circle className="line" cx="55" cy="50" r="9" />
      <circle className="detail" cx="55" cy="50" r="5" />
      <path className="detail" d="M42 38h4M42 62h4M64 38h4M64 62h4M76 34v32" />
      <circle className="light" cx="82" cy="36" r="1.8" />
      <circle className="detail" cx="82" cy="43" r="1.8" />
      <circle className="detail" cx="34" cy="30" r="1" />
      <circle className="detail" cx="86" cy="70" r="1" />
      <path className="line" d="M60 74 V80 H66 V74 M63 80 Q63 90 74 90 H104" />
    </>
  ),
  V1300: (
    <>
      <path className="body" d="M36 34 L60 24 L90 33 L90 60 L66 72 L36 61 Z" />
      <path className="line" d="M36 34 L66 44 L90 33 M66 44 V72" />
      <circle className="line" cx="50" cy="53" r="7" />
      <circle className="detail" cx="50" cy="53" r="3.5" />
      <path className="detail" d="M71 47 L85 40.5 V57 L71 64 Z" />
      <path className="detail" d="M74 61 V82 M77 59.5 V80 M80 58 V79 M83 56.5 V77" />
      <path className="line" d="M70 82 h18" />
      <circle className="light" cx="42" cy="42" r="1.6" />
      <path className="beam" d="M31 50 L19 46 M31 55 L18 56 M32 60 L20 66" />
    </>
  ),
  V4500: (
    <>
      <path
        className="body"
        d="M14 25 L22 15 H44 L47 11 H82 Q94 11 96 21 L98 32 Q98.5 40 91 40 L75 41 L84 78 Q85 85 78 85 L66 85 Q61 85 59.5 80 L51 43 L46 45 L22 45 L15 38 Z"
      />
      <path className="line" d="M44 15 L46 45 M22 15 L24 45" />
      <path className="detail" d="M14 25 L15 38 M52 17H86M52 22H86M52 27H86 M75 41 L51 43 M68 84 L82 84" />
      <path className="line" d="M51 45 Q44 52 50 62 L56.5 59" />
      <path className="detail" d="M62 52 H76 M64 60 H78 M66 68 H80 M68 76 H81" />
      <circle className="light" cx="89" cy="33" r="1.8" />
      <path className="beam" d="M11 27 L1 21 M11 31.5 H0 M11 36 L1 42" />
    </>
  ),
  CR8200: (
    <>
      <path className="body" d="M36 14 Q36 9 41 9 L79 9 Q84 9 84 14 L84 46 Q84 51 79 51 L41 51 Q36 51 36 46 Z" />
      <rect className="line" x="43" y="16" width="34" height="28" rx="1.5" />
      <path className="detail" d="M47 30H73" />
      <circle className="detail" cx="60" cy="30" r="7" />
      <path className="body" d="M52 51 H68 L71 72 H49 Z" />
      <path className="body" d="M32 76 Q32 72 36 72 L84 72 Q88 72 88 76 L90 84 Q91 87 87 87 L33 87 Q29 87 30 84 Z" />
      <path className="detail" d="M31 81H89" />
      <circle className="light" cx="78.5" cy="47.5" r="1.5" />
    </>
  ),
  CR950: (
    <>
      <path
        className="body"
        d="M20 24 L31 16 Q33 14.5 36 14.5 L78 18 Q90 19.5 92 29 Q93 38 85 38.5 L71 39 L76 74 Q77 82 70 82 L62 82 Q57 82 56 77 L50 41 L29 42 Q23 42 22 36 Z"
      />
      <path className="line" d="M49.5 43 Q44 49 49 57 L55 55" />
      <path className="detail" d="M27 18.5 L29 42 M36 20 L79 23.5 M71 39 L50 41 M58 62 L74 60 M59 69 L75 67" />
      <rect className="line" x="62" y="24" width="12" height="5" rx="2.5" />
      <path className="line" d="M66 82 Q67 91 78 91 H102" />
      <path className="beam" d="M17 26 L5 19 M17.5 30 L4 30 M18 34 L5 41" />
    </>
  ),
  '1500DPM': (
    <>
      <path className="body" d="M33 23 L84 20 Q97 20 99 29 Q100 37 92 39 L60 42 L33 44 Z" />
      <path className="body" d="M33 20 Q33 17 30 17 L22 15 Q17 15 17 20 L17 47 Q17 52 22 52 L30 50 Q33 50 33 47 Z" />
      <path className="detail" d="M27 17 V50 M40 28 L86 25.5" />
      <rect className="line" x="58" y="23.5" width="14" height="4" rx="2" />
      <path className="body" d="M60 42 L92 39 L97 70 Q98 76 92 76 L82 77 Q76 77 74.5 72 Z" />
      <path className="detail" d="M72 49 L88 47 M74 56 L90 54" />
      <path className="line" d="M87 77 Q88 88 100 87 L112 87" />
      <circle className="light" cx="90" cy="31" r="1.8" />
      <path className="beam" d="M14 22 L3 16 M14 30 H1 M14 37 H1 M14 45 L3 51" />
    </>
  ),
  Reader: (
    <>
      <path
        className="body"
        d="M22 26 Q22 16 32 16 L76 16 Q90 16 92 28 Q93 40 82 40 L72 40 L80 74 Q82 82 74 82 L66 82 Q60 82 58.5 76 L50 42 L32 42 Q22 42 22 34 Z"
      />
      <path className="detail" d="M29 17 V41 M72 40 L50 42" />
      <path className="beam" d="M18 24 L6 18 M18 29 H4 M18 34 L6 40" />
    </>
  ),
}

export const hasReaderDrawing = (model: string): boolean => Object.hasOwn(drawings, model)

interface ReaderDrawingProps {
  model: string
  /** In px; the height follows from it. */
  width?: number
  /** `small`: below 70 px. `large`: above 200 px. */
  weight?: 'small' | 'normal' | 'large'
  className?: string
}

/** Null for a model without a drawing. The name must be beside it. */
export function ReaderDrawing({ model, width = 84, weight = 'normal', className }: ReaderDrawingProps) {
  if (!hasReaderDrawing(model)) return null
  return (
    <svg
      className={classNames('reader-drawing', weight !== 'normal' && `reader-drawing-${weight}`, className)}
      width={width}
      height={Math.round((width * 4) / 5)}
      viewBox="0 -4 120 104"
      fill="none"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {drawings[model]}
    </svg>
  )
}
