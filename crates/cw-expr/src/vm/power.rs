//! `x ** y` of floats, rounded once.
//!
//! CPython uses the C library, whose result is nearly always the float nearest to the true one. The
//! portable library may be off by one place, so logarithm and exponential are computed here with
//! twice the digits of a float.

/// An unevaluated sum of two floats, the second far smaller.
#[derive(Clone, Copy)]
struct Double {
    high: f64,
    low: f64,
}

fn two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let part = high - a;
    Double {
        high,
        low: (a - (high - part)) + (b - part),
    }
}

fn two_product(a: f64, b: f64) -> Double {
    let high = a * b;
    Double {
        high,
        low: libm::fma(a, b, -high),
    }
}

fn add(a: Double, b: Double) -> Double {
    let sum = two_sum(a.high, b.high);
    let low = two_sum(a.low, b.low);
    let sum = two_sum(sum.high, sum.low + low.high);
    two_sum(sum.high, sum.low + low.low)
}

fn multiply(a: Double, b: Double) -> Double {
    let product = two_product(a.high, b.high);
    two_sum(product.high, product.low + (a.high * b.low + a.low * b.high))
}

fn single(value: f64) -> Double {
    Double {
        high: value,
        low: 0.0,
    }
}

/// ln 2.
const LN_2: Double = Double {
    high: std::f64::consts::LN_2,
    low: 2.319_046_813_846_299_6e-17,
};

/// exp of a number of at most 0.35, by halving it eight times and squaring the series back.
fn small_exp(x: Double) -> Double {
    const HALVINGS: i32 = 8;
    let x = Double {
        high: libm::scalbn(x.high, -HALVINGS),
        low: libm::scalbn(x.low, -HALVINGS),
    };
    // exp(x) - 1 keeps its digits through the squarings: (1 + e)^2 - 1 = 2e + e^2.
    let (mut term, mut sum) = (x, x);
    for n in 2..=12_i32 {
        term = multiply(term, x);
        let divisor = f64::from(n);
        let high = term.high / divisor;
        let rest = libm::fma(-high, divisor, term.high) + term.low;
        term = two_sum(high, rest / divisor);
        sum = add(sum, term);
    }
    for _ in 0..HALVINGS {
        sum = add(
            Double {
                high: 2.0 * sum.high,
                low: 2.0 * sum.low,
            },
            multiply(sum, sum),
        );
    }
    add(sum, single(1.0))
}

/// ln of a number between 0.7 and 1.42: the library's answer, and one step of Newton's method.
fn small_log(x: f64) -> Double {
    let guess = libm::log(x);
    let inverse = small_exp(single(-guess));
    let product = multiply(inverse, single(x));
    let rest = add(product, single(-1.0));
    let square = multiply(rest, rest);
    add(
        single(guess),
        add(
            rest,
            Double {
                high: -0.5 * square.high,
                low: -0.5 * square.low,
            },
        ),
    )
}

/// `base ** exponent`, where the library's own rules hold for everything but ordinary numbers.
pub(crate) fn power(base: f64, exponent: f64) -> f64 {
    let rough = libm::pow(base, exponent);
    let ordinary = rough.is_normal() && base.is_normal() && exponent.is_finite() && base.abs() != 1.0;
    if !ordinary || exponent == 0.0 {
        return rough;
    }
    let (mut fraction, mut scale) = libm::frexp(base.abs());
    if fraction < std::f64::consts::FRAC_1_SQRT_2 {
        fraction *= 2.0;
        scale -= 1;
    }
    let log = add(multiply(LN_2, single(f64::from(scale))), small_log(fraction));
    let wanted = multiply(log, single(exponent));
    let twos = libm::round(wanted.high / std::f64::consts::LN_2);
    let rest = add(wanted, multiply(LN_2, single(-twos)));
    let value = small_exp(rest);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is whole and near the exponent of `rough`, which is normal"
    )]
    let exact = libm::scalbn(value.high, twos as i32);
    // Near the ends of the range the library's answer is the better one.
    if exact.is_normal() && (exact / rough.abs() - 1.0).abs() < 1e-12 {
        libm::copysign(exact, rough)
    } else {
        rough
    }
}
