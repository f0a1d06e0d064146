"""Nightly order report of a small shop."""


def allowed_orders(orders: list[tuple], blocked: list[int]) -> list[tuple]:
    """Drop the orders of blocked customers."""
    result = []
    for order in orders:
        customer = order[0]
        if customer not in blocked:
            result.append(order)
    return result


def match_customers(orders: list[tuple], customers: list[tuple]) -> list[tuple]:
    """Pair every order with the customers of its id."""
    pairs = []
    for order in orders:
        for customer in customers:
            if customer[0] == order[0]:
                pairs.append((order, customer))
    return pairs


def distinct(values: list[int]) -> list[int]:
    """Keep the first of each value, in order."""
    seen = []
    for value in values:
        if value not in seen:
            seen.append(value)
    return seen


def lot_lines(page: list) -> list[str]:
    """Each lot of the page list with the number of its entries, in order."""
    seen = []
    lines = []
    for lot in page:
        if lot not in seen:
            seen.append(lot)
            lines.append("lot %s: %d" % (lot, page.count(lot)))
    return lines


def shelf_digits(skus: list[int]) -> int:
    """Check digits of the busiest shelf: product of its skus, modulo a prime."""
    digits = 1
    for sku in skus:
        power = (sku + 7) ** (6 * sku + 40) % 99991
        digits = digits * power % 99991
    return digits


def order_report(
    orders: list[tuple], customers: list[tuple], blocked: list[int], page: list
) -> str:
    orders = allowed_orders(orders, blocked)
    text = ""
    for order, customer in match_customers(orders, customers):
        text += "%s: %d x sku %d\n" % (customer[1], order[2], order[1])
    skus = [order[1] for order in orders]
    different = distinct(skus)
    for sku in different:
        share = skus.count(sku) * 1000 // len(skus)
        text += "sku %d: %d permille\n" % (sku, share)
    for line in lot_lines(page):
        text += line + "\n"
    text += "shelf: %d\n" % shelf_digits(skus)
    return text
